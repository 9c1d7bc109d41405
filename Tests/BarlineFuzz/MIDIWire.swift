import BarlineServer
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// Messages for a session's MIDI control, as a port would hand them over.
final class MIDIWire: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var isHandedOver = false
    }

    private let state = Mutex(State())
    private let hasCome = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)
    private let control = Mutex<MIDIControl?>(nil)

    init(_ session: LiveSession) {
        let port = MIDIControl.Port(
            take: { [weak self] _ in self?.take() ?? [] }, send: { _ in true },
            wait: { [hasCome] in _ = hasCome.wait(timeout: .now() + $0) }, wake: { [hasCome] in hasCome.signal() })
        let made = MIDIControl(session, port: port, report: { _ in })
        control.withLock { $0 = made }
    }

    /// What has come; who asks again has done what was handed over.
    private func take() -> [(bytes: [UInt8], frame: FrameTime)] {
        state.withLock { state in
            if state.isHandedOver { isDone.signal() }
            state.isHandedOver = !state.waiting.isEmpty
            defer { state.waiting = [] }
            return state.waiting.map { ($0, .zero) }
        }
    }

    /// Sends messages, and returns when they were done.
    func send(_ messages: [[UInt8]]) throws {
        if messages.isEmpty { return }
        state.withLock { $0.waiting = messages }
        hasCome.signal()
        try BrokenPromise.check(isDone.wait(timeout: .now() + 10) == .success, "MIDI messages are never done")
    }

    func end() { control.withLock { $0 }?.stop() }
}

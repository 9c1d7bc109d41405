import BarlineEngine
import BarlineTime
import Foundation
import Synchronization

/// MIDI controllers on the JACK server that the output uses: a server that was lost and came back, or was chosen later,
/// is rejoined, and controllers that are plugged in later are connected.
package final class JackControllers: Sendable {
    private let name: String
    private let supervisor: OutputSupervisor
    private let state = Mutex(State())
    private let activity = Activity()

    /// The client on the server, and the time of the last attempt to open one.
    private struct State {
        var jack: JackMIDI?
        var tried = Date.distantPast
        var joins = 0
        var isClosed = false
    }

    /// The pause between attempts to join, in seconds.
    private static let retry = 1.0
    /// How long the last messages may take until a block sends them, in seconds.
    private static let lastBlock = 0.03
    /// How long the client may take to close, in seconds.
    private static let teardown = 1.0

    /// Creates the controllers on the JACK server that `supervisor` uses, if any.
    ///
    /// - Parameters:
    ///   - supervisor: the output's supervisor.
    ///   - name: the name of the client.
    package init(_ supervisor: OutputSupervisor, name: String = "barline-midi") {
        self.supervisor = supervisor
        self.name = name
    }

    /// The number of times a server was joined, or controllers were connected to the output.
    package var joinCount: Int { state.withLock { $0.joins } }

    /// The names of the ports; `nil` if there is no server.
    package var ports: (input: String, output: String)? {
        state.withLock { state in state.jack.flatMap { $0.isLost ? nil : ($0.inputName, $0.outputName) } }
    }

    /// Takes the messages that have arrived, and joins a server if there is a new one. Used by one thread at a time.
    ///
    /// - Parameter now: the approximate current frame of the engine.
    /// - Returns: the messages, each with the frame on which it arrived.
    package func take(near now: FrameTime) -> [MIDIEvent] {
        guard let jack = joined() else { return [] }
        jack.connectNew()
        if jack.takeReached() { state.withLock { $0.joins += 1 } }
        return jack.takeEvents(near: now)
    }

    /// Waits for messages, for `seconds` at most; without a server, at most until the next attempt to join one. Used by
    /// one thread at a time.
    package func wait(seconds: Double) {
        let seen = activity.count
        if let jack = state.withLock({ $0.jack }) {
            jack.wait(seconds: seconds)
        } else {
            activity.wait(since: seen, seconds: min(seconds, JackControllers.retry))
        }
    }

    /// Ends ``wait(seconds:)``.
    package func wake() {
        activity.note()
        state.withLock { $0.jack }?.wake()
    }

    /// Sends a message; returns `false` if it does not fit, or there is no server.
    package func send(_ bytes: [UInt8]) -> Bool { state.withLock { $0.jack }?.send(bytes) ?? false }

    /// Closes the client, after a short delay in which pending messages reach the controllers.
    package func close() {
        let jack = state.withLock { state in
            state.isClosed = true
            defer { state.jack = nil }
            return state.jack
        }
        guard let jack else { return }
        if jack.isLost { return JackControllers.leave(jack) }
        // The last messages are sent with the next block.
        Thread.sleep(forTimeInterval: JackControllers.lastBlock)
        let isClosed = DispatchSemaphore(value: 0)
        NamedThread.start("barline-close") {
            jack.close()
            isClosed.signal()
        }
        // A server that stands still answers when it goes on, if ever.
        _ = isClosed.wait(timeout: .now() + JackControllers.teardown)
    }

    private func joined() -> JackMIDI? {
        let (jack, lost, isDue) = state.withLock { state -> (JackMIDI?, JackMIDI?, Bool) in
            if state.isClosed { return (nil, nil, false) }
            if let jack = state.jack, !jack.isLost { return (jack, nil, false) }
            defer { state.jack = nil }
            let isDue = -state.tried.timeIntervalSinceNow > JackControllers.retry
            if isDue { state.tried = Date() }
            return (nil, state.jack, isDue)
        }
        if let lost { JackControllers.leave(lost) }
        // Events are mapped to frames by the audio callback on the same server.
        guard isDue, lost == nil, supervisor.format.backend == .jack, supervisor.status == .running,
            let next = try? JackMIDI(name: name)
        else { return jack }
        return state.withLock { state in
            state.jack = next
            state.joins += 1
            return next
        }
    }

    /// Leaves a server, without waiting: closing a dead one may never return.
    private static func leave(_ jack: JackMIDI) { NamedThread.start("barline-close") { jack.close() } }
}

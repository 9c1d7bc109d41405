import BarlineEngine
import BarlineTime
import Foundation
import Synchronization

/// MIDI controllers on the JACK server that is played to: a server that was lost and came back, or was chosen later, is
/// joined anew.
package final class JackControllers: Sendable {
    private let name: String
    private let supervisor: OutputSupervisor
    private let state = Mutex(State())
    private let activity = Activity()

    /// The client on the server, and when one was last looked for.
    private struct State {
        var jack: JackMIDI?
        var tried = Date.distantPast
        var joins = 0
        var isClosed = false
    }

    /// Seconds between attempts to join.
    private static let retry = 1.0

    /// Controllers on whatever JACK server `supervisor` plays to.
    ///
    /// - Parameters:
    ///   - supervisor: what plays.
    ///   - name: what the client is called.
    package init(_ supervisor: OutputSupervisor, name: String = "barline-midi") {
        self.supervisor = supervisor
        self.name = name
    }

    /// Counts how often a server was joined.
    package var joinCount: Int { state.withLock { $0.joins } }

    /// The names of the ports; `nil` where there is no server.
    package var ports: (input: String, output: String)? {
        state.withLock { state in state.jack.flatMap { $0.isLost ? nil : ($0.inputName, $0.outputName) } }
    }

    /// Takes what has come, and joins a server where there is one that was not joined. For one thread at a time.
    ///
    /// - Parameter now: about where the engine is.
    /// - Returns: the messages, each with the frame on which it came.
    package func take(near now: FrameTime) -> [MIDIEvent] { joined()?.takeEvents(near: now) ?? [] }

    /// Waits until messages have come, for `seconds` at most; where there is no server, no longer than until the next attempt to
    /// join one. For one thread at a time.
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

    /// Sends a message; `false` where it does not fit, or nobody is there.
    package func send(_ bytes: [UInt8]) -> Bool { state.withLock { $0.jack }?.send(bytes) ?? false }

    /// Ends. What is under way to the controllers is given a moment.
    package func close() {
        let jack = state.withLock { state in
            state.isClosed = true
            defer { state.jack = nil }
            return state.jack
        }
        guard let jack else { return }
        if jack.isLost { return JackControllers.leave(jack) }
        // What was sent last goes with the next block.
        Thread.sleep(forTimeInterval: 0.03)
        jack.close()
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
        // The frames of what comes are those of the audio's callback on the same server.
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

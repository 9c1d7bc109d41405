import BarlineEngine
import BarlineTime
import Synchronization

/// The acknowledgements awaited by those who want to know on which frame the engine has taken their command.
final class Acknowledgements: Sendable {
    typealias Answer = @Sendable (FrameTime?) -> Void

    private struct Waiting {
        let since: Double
        let answer: Answer
    }

    private struct State {
        var waiting: [CommandID: Waiting] = [:]
        /// Commands that were taken before anybody asked: the audio thread may be quicker than who has sent them.
        var taken: [CommandID: FrameTime] = [:]
    }

    /// Seconds after which an answer comes though the command was not taken: the output may be gone.
    private static let timeout = 1.0
    /// What was taken and is not asked about is forgotten beyond so many.
    private static let takenCount = 2048

    private let state = Mutex(State())

    /// Answers when the engine takes a command: with its frame, or with `nil` where that does not come.
    func wait(for command: CommandID, _ answer: @escaping Answer) {
        let frame = state.withLock { state in
            let frame = state.taken.removeValue(forKey: command)
            if frame == nil { state.waiting[command] = Waiting(since: LiveSession.now, answer: answer) }
            return frame
        }
        if let frame { answer(frame) }
    }

    /// Takes in what has happened, and answers those who have waited for it, or for too long.
    func take(_ events: [EngineEvent]) {
        let limit = LiveSession.now - Acknowledgements.timeout
        let due = state.withLock { state in
            var due: [(answer: Answer, frame: FrameTime?)] = []
            for event in events {
                guard case .commandTaken(let command) = event.kind else { continue }
                if let waiting = state.waiting.removeValue(forKey: command) {
                    due.append((waiting.answer, event.frame))
                } else {
                    state.taken[command] = event.frame
                }
            }
            for (command, waiting) in state.waiting where waiting.since < limit {
                state.waiting[command] = nil
                due.append((waiting.answer, nil))
            }
            if state.taken.count > Acknowledgements.takenCount {
                let newest = state.taken.keys.map(\.rawValue).max() ?? 0
                state.taken = state.taken.filter { $0.key.rawValue > newest - Acknowledgements.takenCount / 2 }
            }
            return due
        }
        for (answer, frame) in due { answer(frame) }
    }
}

import BarlineEngine
import BarlineTime

/// Taps that were sent, whose tempo becomes the session's as one that is typed does.
struct SentTaps {
    private var sent: Set<CommandID> = []
    /// The frame of the last one that was taken.
    private var frame: FrameTime?

    /// Adds a tap that was sent for the next block.
    mutating func add(_ command: CommandID) { sent.insert(command) }

    /// Forgets all of them: another tempo was set since.
    mutating func removeAll() { (sent, frame) = ([], nil) }

    /// The tempo that a tap has set; `nil` for any other event.
    mutating func tempo(setBy event: EngineEvent) -> Tempo? {
        switch event.kind {
        case .commandTaken(let command) where !sent.isEmpty:
            if sent.contains(command) { frame = event.frame }
            sent = sent.filter { $0.rawValue > command.rawValue }
        // A tempo that was set on its frame is told before its own.
        case .transport(.tempoChanged(let tempo, _, _)) where event.frame == frame: return tempo
        default: break
        }
        return nil
    }
}

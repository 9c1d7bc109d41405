import BarlineEngine
import BarlineTime

/// A slot that is recorded into, for displays.
package struct TakeStatus: Hashable, Sendable {
    /// What its clip will be called.
    package let id: String
    /// The clip, as events and positions have it.
    package let clip: ClipHandle
    package let track: String
    package let slot: Int
    /// The frame that its first frame belongs at; `nil` before it has begun.
    package let since: FrameTime?
}

extension SessionPlayer {
    /// The slots that are recorded into, those that wait for their boundary included.
    package var openTakes: [TakeStatus] {
        bound.withLock { $0.takes }.filter { !$0.isKept }.map { take in
            TakeStatus(
                id: take.id, clip: take.clip, track: take.track, slot: take.slot,
                since: engine.launcher.take(of: take.clip)?.start?.frame)
        }
    }

    /// What the button of an empty slot does: it records what the track's input gives, where there is one, and else stops the track.
    package func action(ofEmptySlot slot: Int, on track: TrackDocument) -> ScriptAction {
        guard track.input != nil, hasInputs.load(ordering: .relaxed) else { return .stop(track: track.id) }
        return .record(.clip(track: track.id, slot: slot, input: nil, bars: nil, id: nil))
    }
}

import BarlineTime

/// Something that happened on the timeline.
public struct EngineEvent: Hashable, Sendable, BitwiseCopyable {
    /// The frame on which it happened.
    public let frame: FrameTime
    /// What happened.
    public let kind: Kind

    /// The kind of an event: one of a part of the engine, or of a command.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// A clip started, looped or stopped.
        case launcher(LauncherEvent)
        /// A pulse of the metre.
        case metronome(MetronomeEvent)
        /// The playlist, or an item of it, changed what it does.
        case playlist(PlaylistEvent)
        /// A pad was hit.
        case sampler(SamplerEvent)
        /// The stems changed what they do.
        case stems(StemsEvent)
        /// Tempo, metre, roll or the clock changed.
        case transport(TransportEvent)
        /// A command that was sent without a frame took effect.
        case commandTaken(CommandID)
        /// A command came `frames` frames after the frame that it was for.
        case commandLate(CommandID, frames: Int64)
        /// The machine doesn't keep up: so many clips and hits of pads were faded out before the output would be late.
        case voicesShed(count: Int)
    }

    @_noLocks package init(frame: FrameTime, kind: Kind) {
        self.frame = frame
        self.kind = kind
    }
}

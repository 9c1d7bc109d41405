import BarlineTime

/// Something that happened on the timeline.
public struct EngineEvent: Hashable, Sendable, BitwiseCopyable {
    /// The frame on which it happened.
    public let frame: FrameTime
    /// What happened.
    public let kind: Kind

    /// The kind of an event: that of a part of the engine, or of a command.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// A clip started, looped or stopped.
        case launcher(LauncherEvent)
        /// A pulse of the metre.
        case metronome(MetronomeEvent)
        /// The playlist, or one of its items, changed state.
        case playlist(PlaylistEvent)
        /// A pad was hit.
        case sampler(SamplerEvent)
        /// The stems changed state.
        case stems(StemsEvent)
        /// Tempo, metre, rolling state or the clock changed.
        case transport(TransportEvent)
        /// A command that was sent without a frame took effect.
        case commandTaken(CommandID)
        /// A command arrived `frames` frames after its frame.
        case commandLate(CommandID, frames: Int64)
        /// The machine is overloaded: so many clips and pad hits were faded out to avoid an underrun.
        case voicesShed(count: Int)
    }

    @_noLocks package init(frame: FrameTime, kind: Kind) {
        self.frame = frame
        self.kind = kind
    }
}

import BarlineTime

/// An event of the timeline.
public enum TransportEvent: Hashable, Sendable, BitwiseCopyable {
    /// The tempo changed, or began to ramp to `tempo` over `rampBeats` quarter notes.
    case tempoChanged(tempo: Tempo, beat: Beat, rampBeats: Double)
    /// The metre changes on bar line `beat`.
    case timeSignatureChanged(TimeSignature, beat: Beat)
    /// The transport began to roll at `beat`; one that comes late rolls as if it had come in time, and the beat is that
    /// of the frame for which it was asked.
    case started(beat: Beat)
    /// The transport stopped.
    case stopped
    /// The device's clock jumped ahead by `frames` frames, or back if that is below 0, and the timeline with it.
    case clockJumped(frames: Int64)
    /// The device changed the sample rate.
    case sampleRateChanged(SampleRate)
}

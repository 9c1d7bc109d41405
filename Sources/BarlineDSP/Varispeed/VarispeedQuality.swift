/// How true ``VarispeedReader`` is to the sound between the frames of a source.
///
/// Both read at the same positions; a rate of exactly 1 copies frames in both.
public enum VarispeedQuality: String, CaseIterable, Sendable {
    /// For many sounds at a time: noise, images and what folds down stay 100 dB below a tone.
    case live
    /// For files that are made once: they stay 140 dB below it, at five to sixteen times the cost.
    case best
}

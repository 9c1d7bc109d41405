import BarlineDSP
import BarlineTime

/// The length of the grains in which a clip is stretched.
public enum GrainLength: String, Sendable, CaseIterable, BitwiseCopyable {
    /// About 85 ms: tones stay apart, down to low ones.
    case long
    /// About 43 ms.
    case medium
    /// About 21 ms: quick successions stay apart, as in speech; low tones do not.
    case short
}

/// The parameters of a clip's time-stretch beside its mode.
public struct StretchParameters: Sendable, Hashable {
    /// The range of ``kept``.
    public static let keptRange: ClosedRange<Double> = 0.1...1
    /// The range of ``decay``, in seconds.
    public static let decayRange: ClosedRange<Double> = 0.01...10
    /// The range of ``cutRise``, in dB.
    public static let cutRiseRange: ClosedRange<Double> = 0...40

    /// The share of the way to the next attack for which each attack plays unchanged with ``StretchMode/beats``, within
    /// ``keptRange``. The rest is filled from what is left of the sound; with 1 it is silent.
    public var kept: Double
    /// The time in which each attack decays by 60 dB with ``StretchMode/beats``, in seconds, within ``decayRange``;
    /// `nil` to leave its decay alone.
    public var decay: Double?
    /// By how much the sound must rise within 10 ms of an attack for what sounds before it to be cut off there, in dB,
    /// within ``cutRiseRange``. Where it rises less, only partials that rise restart.
    public var cutRise: Double
    /// The length of the grains.
    public var grain: GrainLength
    /// The transposition of the formants in semitones, within ``ClipSettings/transpositionRange``: 0 leaves them where
    /// they are, as suits voices. `nil` has them follow the pitch.
    public var formants: Double?

    /// Creates parameters; see the properties for what they mean.
    public init(
        kept: Double = 0.8, decay: Double? = nil, cutRise: Double = 0,
        grain: GrainLength = .long, formants: Double? = nil
    ) {
        self.kept = kept
        self.decay = decay
        self.cutRise = cutRise
        self.grain = grain
        self.formants = formants
    }

    /// The way in which the engine stretches a clip of `mode` at `sampleRate`.
    func style(_ mode: StretchMode, sampleRate: SampleRate) -> StretchStyle {
        // 60 dB are 9.97 octaves of the amplitude.
        let octaves = 3 / 0.301_029_995_663_981_2
        let isSliced = mode == .beats
        return StretchStyle(
            isSliced: isSliced, keptShare: kept,
            decay: isSliced ? decay.map { octaves / ($0 * sampleRate.hertz) } ?? 0 : 0, grain: grain.inner,
            isTonal: mode == .tonal)
    }
}

extension GrainLength {
    fileprivate var inner: StretchGrain {
        switch self {
        case .long: .long
        case .medium: .medium
        case .short: .short
        }
    }
}

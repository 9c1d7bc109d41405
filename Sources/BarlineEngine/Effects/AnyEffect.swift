import BarlineTime

/// The list of effects on the audio thread, and with ``EffectKind`` the only place that distinguishes them.
///
/// A new effect is a case, with what the documentation says of it. All else is made of the cases.
enum AnyEffect: BitwiseCopyable, @unchecked Sendable {
    /// A state-variable filter: `cutoff`, `resonance`, `mode`.
    case filter(UnsafeMutablePointer<StateVariableFilter>)

    @_noLocks func run(_ request: EffectRequest) -> Bool {
        switch self {
        // Made of the cases: requests.
        case .filter(let effect): effect.pointee.run(request)
        // End.
        }
    }
}

/// The list of effects, for the control side and files: the names of the cases are the words in files.
public enum EffectKind: String, CaseIterable, Hashable, Sendable {
    // Made of the effects: words.
    /// A state-variable filter: `cutoff`, `resonance`, `mode`.
    case filter
    // End.

    /// What the effect declares, and how it is made.
    var maker: EffectMaker {
        switch self {
        // Made of the effects: makers.
        case .filter: EffectMaker(AnyEffect.filter)
        // End.
        }
    }

    /// The name shown to people.
    public var title: String { maker.title }

    /// The parameters, by index.
    public var parameters: [ParameterDescription] { maker.parameters }

    /// The latency of the effect, in frames.
    public func latencyFrames(at sampleRate: SampleRate) -> Int { maker.latencyFrames(sampleRate) }
}

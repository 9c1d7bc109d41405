import BarlineTime

/// The list of effects, for the audio thread, and with ``EffectKind`` the only place that distinguishes them.
enum AnyEffect: BitwiseCopyable, @unchecked Sendable {
    case filter(UnsafeMutablePointer<StateVariableFilter>)

    @_noLocks func run(_ request: EffectRequest) -> Bool {
        switch self {
        case .filter(let effect): effect.pointee.run(request)
        }
    }
}

/// The list of effects, for the control side and files.
public enum EffectKind: String, CaseIterable, Hashable, Sendable {
    /// A state-variable filter: `cutoff`, `resonance`, `mode`.
    case filter

    /// What the effect declares, and how it is made.
    var maker: EffectMaker {
        switch self {
        case .filter: EffectMaker(AnyEffect.filter)
        }
    }

    /// The name shown to people.
    public var title: String { maker.title }

    /// The parameters, by index.
    public var parameters: [ParameterDescription] { maker.parameters }

    /// The latency of the effect, in frames.
    public func latencyFrames(at sampleRate: SampleRate) -> Int { maker.latencyFrames(sampleRate) }
}

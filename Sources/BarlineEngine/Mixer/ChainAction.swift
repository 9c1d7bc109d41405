extension Chain {
    /// A command to a chain of effects.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case insert(AnyEffect, EffectIdentity, index: Int, isBypassed: Bool)
        case replace(Int, AnyEffect, EffectIdentity, isBypassed: Bool)
        case remove(Int)
        case move(Int, index: Int)
        case bypass(Int, Bool)
        case set(Int, parameter: Int, target: Double, Glide)
    }
}

extension Timeline {
    /// The length of a parameter's ramp: at least a fade, except before the first frame.
    @_noLocks func rampFrames(of action: Chain.Action) -> Int64 {
        guard case .set(_, _, _, let glide) = action else { return 0 }
        return rampFrames(over: glide.length)
    }
}

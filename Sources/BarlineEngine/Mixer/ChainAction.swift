extension Chain {
    /// A command to a chain of effects.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case insert(AnyEffect, EffectIdentity, index: Int, isBypassed: Bool)
        case replace(Int, AnyEffect, EffectIdentity, isBypassed: Bool)
        case remove(Int)
        case move(Int, index: Int)
        case bypass(Int, Bool)
    }
}

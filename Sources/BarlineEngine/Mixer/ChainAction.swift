extension Chain {
    /// What the control side asks of a chain.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case insert(AnyEffect, EffectIdentity, index: Int, isBypassed: Bool)
        case replace(Int, AnyEffect, EffectIdentity, isBypassed: Bool)
        case remove(Int)
        case move(Int, index: Int)
        case bypass(Int, Bool)
        case set(Int, parameter: Int, target: Double, Glide)
    }
}

/// A pad that the engine has loaded.
public struct PadHandle: Hashable, Sendable, BitwiseCopyable {
    /// The pad's place in the engine's table, reused after the pad is unloaded.
    public let rawValue: Int

    @_noLocks init(_ rawValue: Int) { self.rawValue = rawValue }
}

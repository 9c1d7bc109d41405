extension Stems {
    /// A command to the stems; `set` is the number of its set.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Replaces the set of stems; `nil` for none.
        case install(UnsafePointer<StemSetContent>?)
        /// Replaces or removes one stem; the others keep playing.
        case exchange(set: Int, slot: Int, UnsafePointer<StemPart>?)
        /// A deck was cued: playing stems jump to it, others will start from it.
        case hold(set: Int, deck: Int, seconds: Double, StemHoldPurpose)
        case play(set: Int)
        case pause(set: Int)
        /// Loops a region; `number` is 0 for no loop.
        case loop(set: Int, number: Int, start: Double, end: Double)
        case gain(Float)
        case grid(set: Int, StemGrid?)
    }
}

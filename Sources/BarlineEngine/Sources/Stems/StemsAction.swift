extension Stems {
    /// A command to the stems; `set` is the number of the set that it is for.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Puts stems, or none, in the place of those that are there.
        case install(UnsafePointer<StemSetContent>?)
        /// Puts another stem, or none, in the place of one; the others play on.
        case exchange(set: Int, slot: Int, UnsafePointer<StemPart>?)
        /// A deck was cued: stems that play jump there, others will start there.
        case hold(set: Int, deck: Int, seconds: Double, StemHoldPurpose)
        case play(set: Int)
        case pause(set: Int)
        /// Loops a region, whose number is 0 where there is none.
        case loop(set: Int, number: Int, start: Double, end: Double)
        case gain(Float)
        case grid(set: Int, StemGrid?)
    }
}

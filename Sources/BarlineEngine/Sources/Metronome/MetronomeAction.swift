extension Metronome {
    /// A command to the metronome.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case enable(Bool)
        case pattern(AccentPattern)
        case subdivision(Int)
        case swing(Double)
        /// Replaces the click sounds, from the next click on.
        case clicks(UnsafePointer<ClickContent>)
        /// A tap of the tempo.
        case tap
    }
}

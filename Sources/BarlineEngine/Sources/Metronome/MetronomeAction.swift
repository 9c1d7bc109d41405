extension Metronome {
    /// A command to the metronome.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case turn(on: Bool)
        case pattern(AccentPattern)
        case subdivision(Int)
        case swing(Double)
        /// Other clicks, from the next one on.
        case clicks(UnsafePointer<ClickContent>)
        /// A tap of the tempo.
        case tap
    }
}

extension EngineState {
    /// The state of a pad, for displays.
    public struct Pad: Sendable, Hashable {
        /// The number of hits that have sounded at its place since the engine was created.
        public let hits: Int
        /// The number of voices in use, including those that fade out.
        public let voices: Int
        /// The number of hits that wait for their boundary.
        public let waiting: Int
        /// The velocity of the latest hit, 0 … 1.
        public let velocity: Float
        /// How far through the sample the latest hit is, 0 … 1; 0 if none is audible.
        public let progress: Float
    }
}

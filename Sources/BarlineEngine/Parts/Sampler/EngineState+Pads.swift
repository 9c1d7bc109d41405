/// What displays are shown of pads.
extension EngineState {
    /// The pads' strip.
    public var padStrip: Strip { strips[layout.pads] }

    /// The state of a pad.
    public struct Pad: Sendable, Hashable {
        /// Hits that have sounded since the engine was made, of whatever was in its place.
        public let hits: Int
        /// Voices in use, those that fade out included.
        public let voices: Int
        /// Hits that wait for their boundary.
        public let waiting: Int
        /// The velocity of the latest hit, 0 … 1.
        public let velocity: Float
        /// How far through the sample the latest hit is, 0 … 1; 0 where none sounds.
        public let progress: Float
    }
}

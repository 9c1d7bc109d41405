extension Inputs {
    /// A command to the inputs.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Gives an input memory, from which on it is captured.
        case open(input: Int, UnsafeMutablePointer<CaptureRing>, InputSource)
        /// Takes its memory away.
        case close(input: Int)
        /// How many frames before its delivery what it gives belongs.
        case latency(input: Int, frames: Int64)
        case gain(input: Int, Float)
    }
}

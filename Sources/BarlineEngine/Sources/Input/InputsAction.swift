extension Inputs {
    /// A command to the inputs.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Gives an input memory, from which on it is captured.
        case open(input: Int, UnsafeMutablePointer<CaptureRing>, InputSource)
        /// Takes its memory away.
        case close(input: Int)
        /// Sets an input's latency in frames: how long before its delivery audio was played.
        case latency(input: Int, frames: Int64)
        case gain(input: Int, Float)
    }
}

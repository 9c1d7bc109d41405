extension Inputs {
    /// A command to the inputs.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Opens an input: assigns its memory and its source, and starts capturing.
        case open(input: Int, UnsafeMutablePointer<CaptureRing>, InputSource)
        /// Closes an input: releases its memory.
        case close(input: Int)
        /// Sets an input's latency in frames: how long before its delivery audio was played.
        case latency(input: Int, frames: Int64)
        case gain(input: Int, Float)
        /// Has an input capture a signal in place of what the device gives; `nil` for the device again.
        case signal(input: Int, UnsafeMutablePointer<SignalReader>?)
        /// Copies strips into rings from now on, in place of those before; `nil` for none.
        case record(UnsafeMutablePointer<StripTaps>?)
    }
}

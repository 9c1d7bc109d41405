import BarlineDSP
import BarlineTime

/// What an input captures in place of what a device gives.
package enum InputSignal: Sendable {
    /// Samples, and silence before and after them.
    case samples(SampleBuffer)
    /// The same of what an input has taken in before: its gain is in them.
    case taken(SampleBuffer)
    /// A signal that is computed.
    case generated(TestSignal)
}

/// The owner of an input's signal, on the control side.
final class PreparedSignal: @unchecked Sendable {
    let reader: UnsafeMutablePointer<SignalReader>
    private let samples: SampleBuffer?

    /// - Parameters:
    ///   - signal: the signal.
    ///   - first: its first frame.
    init(_ signal: InputSignal, from first: FrameTime) {
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 2 * BlockSlice.largestCount)
        scratch.initialize(repeating: 0, count: 2 * BlockSlice.largestCount)
        reader = .allocate(capacity: 1)
        switch signal {
        case .samples(let buffer), .taken(let buffer):
            samples = buffer
            var isTaken = false
            if case .taken = signal { isTaken = true }
            reader.initialize(
                to: SignalReader(samples: buffer, isTaken: isTaken, from: first, scratch: scratch))
        case .generated(let signal):
            samples = nil
            reader.initialize(to: SignalReader(signal, from: first, scratch: scratch))
        }
    }

    deinit {
        reader.pointee.left.deallocate()
        reader.deallocate()
    }
}

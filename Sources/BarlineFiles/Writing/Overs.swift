import CKernels

/// The samples beyond full scale, ±1, written to a file.
public struct Overs: Hashable, Sendable {
    /// Their number, in both channels.
    public var count = 0
    /// The frame of the first one; `nil` if there is none.
    public var firstFrame: Int64?
    /// The largest magnitude; 0 if there is none.
    public var peak: Float = 0

    /// Creates an empty count.
    public init() {}

    /// Takes in what is written at `frame` and after it.
    mutating func add(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) {
        if dsp_count_over(samples, frames) == 0 { return }
        for index in 0..<frames where abs(samples[index]) > 1 {
            count += 1
            firstFrame = min(firstFrame ?? .max, frame + Int64(index))
            peak = max(peak, abs(samples[index]))
        }
    }
}

import CKernels

/// Samples over full scale, ±1, that were written to a file.
public struct Overs: Hashable, Sendable {
    /// How many, those of both channels.
    public var count = 0
    /// The frame of the first one; `nil` where there is none.
    public var firstFrame: Int64?
    /// The largest magnitude among them; 0 where there is none.
    public var peak: Float = 0

    /// None.
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

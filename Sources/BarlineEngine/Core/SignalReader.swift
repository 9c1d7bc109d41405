import BarlineDSP
import BarlineTime

/// Reads an input's signal, on the audio thread.
struct SignalReader: BitwiseCopyable, @unchecked Sendable {
    /// The frames that were read last, up to ``BlockSlice/largestCount``.
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    /// Whether an input has taken it in before: its gain is in it.
    let isTaken: Bool
    private let samples: (left: UnsafePointer<Float>, right: UnsafePointer<Float>)?
    private let frameCount: Int64
    private let signal: TestSignal
    private let first: FrameTime

    init(samples: SampleBuffer, isTaken: Bool, from first: FrameTime, scratch: UnsafeMutablePointer<Float>) {
        self.isTaken = isTaken
        left = scratch
        right = scratch + BlockSlice.largestCount
        self.samples = (samples.left, samples.right)
        frameCount = Int64(samples.frameCount)
        signal = TestSignal(.silence)
        self.first = first
    }

    init(_ signal: TestSignal, from first: FrameTime, scratch: UnsafeMutablePointer<Float>) {
        isTaken = false
        left = scratch
        right = scratch + BlockSlice.largestCount
        samples = nil
        frameCount = 0
        self.signal = signal
        self.first = first
    }

    /// Reads `count` frames from a frame of the engine on.
    @_noLocks func read(at frame: FrameTime, count: Int, sampleRate: SampleRate) {
        let start = frame - first
        if let samples {
            for place in 0..<count {
                let index = start + Int64(place)
                let isInside = index >= 0 && index < frameCount
                left[place] = isInside ? samples.left[Int(index)] : 0
                right[place] = isInside ? samples.right[Int(index)] : 0
            }
            return
        }
        for place in 0..<count {
            let sample = signal.sample(at: start + Int64(place), sampleRate: sampleRate.hertz)
            left[place] = sample
            right[place] = sample
        }
    }
}

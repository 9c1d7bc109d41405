import CKernels
import CRealtime

/// The samples half a frame after each frame of a source: computed once, they let a ``VarispeedReader`` read at rates
/// up to 1 with a quarter of the taps, and closer to the Nyquist frequency.
///
/// They take as much memory as the frames. The caller must ``deallocate()`` it when nothing reads it any more.
///
/// A half-band filter (M. G. Bellanger et al., "Interpolation, extrapolation, and reduction of computation speed in
/// digital filters", IEEE Trans. ASSP 22, 1974): a sinc under a Kaiser window, flat up to 0.93 of the Nyquist
/// frequency.
public struct Midpoints: BitwiseCopyable, @unchecked Sendable {
    /// Those of the left channel, starting with the one after frame 0.
    public let left: UnsafePointer<Float>
    /// Those of the right channel; the same as ``left`` if the source is mono.
    public let right: UnsafePointer<Float>
    /// The number of midpoints before the one after frame 0.
    public let framesBefore: Int
    /// The number of midpoints after the frames that they were computed for.
    public let framesAfter: Int

    /// Computes the midpoints of `frames` of a buffer, and of as many frames beside them as an interpolator needs.
    /// Beyond the buffer is silence.
    ///
    /// - Complexity: O(*n*) in the frames.
    public init(of buffer: SampleBuffer, frames: Range<Int>) {
        precondition(
            !frames.isEmpty && frames.lowerBound >= 0 && frames.upperBound <= buffer.frameCount,
            "midpoints are of frames that a buffer has")
        framesBefore = min(frames.lowerBound, VarispeedKernel.largestSpan / 2)
        framesAfter = min(buffer.frameCount - frames.upperBound, VarispeedKernel.largestSpan / 2)
        let first = frames.lowerBound - framesBefore
        let count = framesBefore + frames.count + framesAfter
        let channels = buffer.left == buffer.right ? [buffer.left] : [buffer.left, buffer.right]
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: channels.count * count)
        for (channel, samples) in channels.enumerated() {
            Midpoints.find(samples, of: buffer.frameCount, from: first, count, into: storage + channel * count)
        }
        left = UnsafePointer(storage) + framesBefore
        right = channels.count == 1 ? left : left + count
    }

    /// The same memory for a region that begins at `frame` and ends `framesLeft` frames before the end of the original.
    init(_ whole: Midpoints, from frame: Int, framesLeft: Int) {
        left = whole.left + frame
        right = whole.right + frame
        framesBefore = whole.framesBefore + frame
        framesAfter = whole.framesAfter + framesLeft
    }

    /// The midpoints of frames of a buffer, computed on first use, which live as long as the buffer.
    package static func shared(by buffer: SampleBuffer, frames: Range<Int>) -> Midpoints {
        let all = buffer.derived { BufferMidpoints(buffer) }
        return Midpoints(all.midpoints, from: frames.lowerBound, framesLeft: buffer.frameCount - frames.upperBound)
    }

    /// Frees the memory.
    public func deallocate() { (left - framesBefore).deallocate() }

    /// The number of frames on each side that one depends on.
    static var reach: Int { Int(DSP_MIDPOINT_REACH) }

    /// The weights of the nearest frames, nearest first, symmetric before and after.
    static let weights: [Double] = {
        let window = KaiserWindow(beta: VarispeedKernel.beta)
        let values = (0..<reach).map { index in
            let distance = Double(index) + 0.5
            return rt_sin(.pi * distance) / (.pi * distance) * window.value(at: distance / Double(reach))
        }
        let sum = 2 * values.reduce(0, +)
        return values.map { $0 / sum }
    }()

    /// Writes the midpoints after `count` of `frameCount` samples, from `first` on.
    private static func find(
        _ samples: UnsafePointer<Float>, of frameCount: Int, from first: Int, _ count: Int,
        into storage: UnsafeMutablePointer<Float>
    ) {
        // Where all frames that they depend on exist.
        let low = min(max(first, reach - 1), first + count)
        let high = max(low, min(first + count, frameCount - reach))
        dsp_find_midpoints(samples + low, weights, reach, storage + (low - first), high - low)
        for part in [first..<low, high..<first + count] where !part.isEmpty {
            let around = (part.lowerBound - reach + 1..<part.upperBound + reach).map {
                (0..<frameCount).contains($0) ? samples[$0] : 0
            }
            around.withUnsafeBufferPointer { around in
                guard let around = around.baseAddress else { return }
                dsp_find_midpoints(
                    around + (reach - 1), weights, reach, storage + (part.lowerBound - first), part.count)
            }
        }
    }

    /// Writes the midpoints of `count` samples, except the first and the last ``reach``, which are 0.
    static func find(within samples: UnsafePointer<Float>, _ count: Int, into storage: UnsafeMutablePointer<Float>) {
        storage.initialize(repeating: 0, count: count)
        if count <= 2 * reach { return }
        dsp_find_midpoints(samples + reach, weights, reach, storage + reach, count - 2 * reach)
    }
}

/// Owns the midpoints of a whole buffer, which keeps it alive.
private final class BufferMidpoints: Sendable {
    let midpoints: Midpoints

    init(_ buffer: SampleBuffer) { midpoints = Midpoints(of: buffer, frames: 0..<buffer.frameCount) }

    deinit { midpoints.deallocate() }
}

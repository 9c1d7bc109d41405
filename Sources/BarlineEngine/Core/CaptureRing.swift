import BarlineTime
import CKernels

/// A ring of an input's latest frames, each at the place of its number on the engine's timeline.
///
/// Memory never written to is silent, and so is everything before the ring's oldest frame.
struct CaptureRing: BitwiseCopyable, @unchecked Sendable {
    private let left: UnsafeMutablePointer<Float>
    /// The same as ``left`` for an input of one channel.
    private let right: UnsafeMutablePointer<Float>
    private let mask: Int

    /// Creates a ring over silent memory of `capacity` frames per channel, a power of two.
    init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's frames are a power of two")
        self.left = left
        self.right = right
        mask = capacity - 1
    }

    var isMono: Bool { @_noLocks get { left == right } }

    /// Stores `count` frames from `frame` on, fewer than the ring holds; a missing channel is stored as silence.
    /// O(`count`).
    @_noLocks func write(
        left newLeft: UnsafePointer<Float>?, right newRight: UnsafePointer<Float>?, at frame: FrameTime, count: Int
    ) {
        CaptureRing.write(newLeft, to: left, at: Int(frame.rawValue) & mask, count: count, mask: mask)
        if !isMono {
            CaptureRing.write(newRight, to: right, at: Int(frame.rawValue) & mask, count: count, mask: mask)
        }
    }

    @_noLocks private static func write(
        _ source: UnsafePointer<Float>?, to ring: UnsafeMutablePointer<Float>, at first: Int, count: Int, mask: Int
    ) {
        let untilWrap = mask + 1 - first < count ? mask + 1 - first : count
        guard let source else {
            dsp_clear(ring + first, untilWrap)
            dsp_clear(ring, count - untilWrap)
            return
        }
        _ = dsp_copy_finite(source, ring + first, untilWrap)
        _ = dsp_copy_finite(source + untilWrap, ring, count - untilWrap)
    }

    /// Multiplies `count` stored frames from `frame` on.
    @_noLocks func scale(by gain: Float, at frame: FrameTime, count: Int) {
        let first = Int(frame.rawValue) & mask
        let untilWrap = mask + 1 - first < count ? mask + 1 - first : count
        dsp_scale(left + first, gain, untilWrap)
        dsp_scale(left, gain, count - untilWrap)
        if isMono { return }
        dsp_scale(right + first, gain, untilWrap)
        dsp_scale(right, gain, count - untilWrap)
    }

    /// The levels of both channels over `count` stored frames from `frame` on.
    @_noLocks func levels(at frame: FrameTime, count: Int) -> (left: dsp_level, right: dsp_level) {
        let first = Int(frame.rawValue) & mask
        let level = CaptureRing.level(left, at: first, count: count, mask: mask)
        return (level, isMono ? level : CaptureRing.level(right, at: first, count: count, mask: mask))
    }

    @_noLocks private static func level(
        _ ring: UnsafePointer<Float>, at first: Int, count: Int, mask: Int
    ) -> dsp_level {
        let untilWrap = mask + 1 - first
        if count <= untilWrap { return dsp_measure(ring + first, count) }
        let (head, tail) = (dsp_measure(ring + first, untilWrap), dsp_measure(ring, count - untilWrap))
        let squares = head.mean_square * Float(untilWrap) + tail.mean_square * Float(count - untilWrap)
        return dsp_level(
            peak: head.peak > tail.peak ? head.peak : tail.peak, mean_square: squares / Float(count))
    }

    /// Copies `count` frames from `frame` on, the last of which is before `end`, the frame after the last one stored.
    /// Frames that the ring no longer holds are silent. O(`count`).
    @_noLocks func read(
        from frame: FrameTime, count: Int, end: FrameTime, left target: UnsafeMutablePointer<Float>,
        right targetRight: UnsafeMutablePointer<Float>
    ) {
        let oldest = end - Int64(mask + 1)
        var missing = oldest - frame
        if missing < -frame.rawValue { missing = -frame.rawValue }
        if missing < 0 { missing = 0 }
        let silent = missing < Int64(count) ? Int(missing) : count
        let first = Int(frame.rawValue) &+ silent
        CaptureRing.read(left, at: first & mask, silent: silent, count: count, mask: mask, to: target)
        if targetRight == target { return }
        CaptureRing.read(right, at: first & mask, silent: silent, count: count, mask: mask, to: targetRight)
    }

    @_noLocks private static func read(
        _ ring: UnsafePointer<Float>, at first: Int, silent: Int, count: Int, mask: Int,
        to target: UnsafeMutablePointer<Float>
    ) {
        dsp_clear(target, silent)
        let left = count - silent
        let untilWrap = mask + 1 - first < left ? mask + 1 - first : left
        dsp_copy(ring + first, target + silent, untilWrap)
        dsp_copy(ring, target + silent + untilWrap, left - untilWrap)
    }
}

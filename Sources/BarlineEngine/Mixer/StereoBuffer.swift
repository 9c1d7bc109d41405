import BarlineDSP
import BarlineTime

/// Left and right of one slice on its way through the mixer; does not own its memory.
struct StereoBuffer: BitwiseCopyable, @unchecked Sendable {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    @_noLocks init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        self.left = left
        self.right = right
    }

    @_noLocks func clear(_ count: Int) {
        for frame in 0..<count { left[frame] = 0 }
        for frame in 0..<count { right[frame] = 0 }
    }

    /// How many of `count` frames are silent at their end.
    @_noLocks func silentFramesAtEnd(of count: Int) -> Int {
        var silent = 0
        while silent < count, left[count - 1 - silent] == 0, right[count - 1 - silent] == 0 { silent += 1 }
        return silent
    }

    /// Multiplies both channels by the same level.
    @_noLocks func apply(_ level: Ramp, at start: FrameTime, _ count: Int) {
        StereoBuffer.apply(level, to: left, at: start, count)
        StereoBuffer.apply(level, to: right, at: start, count)
    }

    /// Multiplies each channel by a level of its own.
    @_noLocks func apply(left levelLeft: Ramp, right levelRight: Ramp, at start: FrameTime, _ count: Int) {
        StereoBuffer.apply(levelLeft, to: left, at: start, count)
        StereoBuffer.apply(levelRight, to: right, at: start, count)
    }

    /// Adds `other`.
    @_noLocks func add(_ other: StereoBuffer, _ count: Int) {
        for frame in 0..<count {
            left[frame] += other.left[frame]
            right[frame] += other.right[frame]
        }
    }

    /// Adds `other` as it comes in along `fade`, or, where it leaves, as it goes.
    @_noLocks func add(_ other: StereoBuffer, fade: Ramp, isLeaving: Bool, at start: FrameTime, _ count: Int) {
        for frame in 0..<count {
            let entering = fade.value(at: start + Int64(frame))
            let share = isLeaving ? 1 - entering : entering
            left[frame] += other.left[frame] * share
            right[frame] += other.right[frame] * share
        }
    }

    @_noLocks private static func apply(
        _ level: Ramp, to samples: UnsafeMutablePointer<Float>, at start: FrameTime, _ count: Int
    ) {
        if level.isSettled(at: start) {
            let target = level.target
            if target == 1 { return }
            for frame in 0..<count { samples[frame] *= target }
        } else {
            for frame in 0..<count { samples[frame] *= level.value(at: start + Int64(frame)) }
        }
    }
}

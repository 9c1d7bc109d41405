import CRealtime

/// A position on the timeline that may lie between two frames: a frame, and the fraction of a frame after it.
///
/// A `Double` of frames since the engine's start has fewer digits left for the fraction with every hour, which decides
/// to which side a position half way between two frames is rounded. Here the fraction is as precise after a day as it
/// is at the start: a multiple of 2⁻³², so that positions that were computed in two ways are equal.
@usableFromInline package struct FramePosition: Sendable, BitwiseCopyable {
    /// The last frame at or before the position.
    @usableFromInline package let frame: FrameTime
    /// The distance from `frame`, 0 ... 1.
    @usableFromInline package let fraction: Double

    /// The position `offset` frames after `frame`; before it, if negative. `offset` is finite and within ±2⁶².
    @_noLocks @inlinable package init(_ frame: FrameTime, offset: Double = 0) {
        let whole = rt_floor(offset)
        self.frame = frame + FrameRounding.whole(whole)
        fraction = rt_floor((offset - whole) * 0x1p32 + 0.5) * 0x1p-32
    }

    /// The frame nearest to the position; a half rounds up.
    @inlinable package var nearest: FrameTime { @_noLocks get { frame + FrameRounding.nearest(fraction) } }

    /// The first frame at or after the position.
    @inlinable package var atOrAfter: FrameTime { @_noLocks get { frame + FrameRounding.atOrAfter(fraction) } }

    /// The position `frames` frames later.
    @_noLocks @inlinable package static func + (position: FramePosition, frames: Double) -> FramePosition {
        FramePosition(position.frame, offset: position.fraction + frames)
    }

    /// The position `frames` frames earlier.
    @_noLocks @inlinable package static func - (position: FramePosition, frames: Double) -> FramePosition {
        FramePosition(position.frame, offset: position.fraction - frames)
    }

    /// The number of frames from `right` to `left`.
    @_noLocks @inlinable package static func - (left: FramePosition, right: FramePosition) -> Double {
        Double(left.frame - right.frame) + (left.fraction - right.fraction)
    }

    /// The number of frames from `position` to `frame`.
    @_noLocks @inlinable package static func - (frame: FrameTime, position: FramePosition) -> Double {
        Double(frame - position.frame) - position.fraction
    }
}

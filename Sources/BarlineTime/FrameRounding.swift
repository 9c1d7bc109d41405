import CRealtime

/// The rounding of an exact position on the timeline to a whole frame.
///
/// A position that `Double` arithmetic left within rounding error below a half must still round up, or a boundary that
/// lies exactly between two frames would fall on either of them by chance. The margin, a millionth of a frame, is above
/// the error of a day's arithmetic and far below anything audible.
@usableFromInline package enum FrameRounding {
    /// The frame nearest to `position`; a half rounds up.
    @_noLocks @inlinable package static func nearest(_ position: Double) -> Int64 {
        whole(rt_floor(position + (0.5 + 0x1p-20)))
    }

    /// The first frame at or after `position`.
    @_noLocks @inlinable package static func atOrAfter(_ position: Double) -> Int64 {
        whole(rt_ceil(position - 0x1p-20))
    }

    /// `number` without its fraction; ±2⁶², which no engine reaches, for what is beyond, and 2⁶² for NaN: a time that
    /// never comes.
    @_noLocks @inlinable package static func whole(_ number: Double) -> Int64 {
        guard number < 0x1p62 else { return 1 << 62 }
        return number > -0x1p62 ? Int64(number) : -1 << 62
    }
}

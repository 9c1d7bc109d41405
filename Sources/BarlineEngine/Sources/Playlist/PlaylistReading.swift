import BarlineTime

/// A head's position in the playlist's sound.
struct PlaylistReading: BitwiseCopyable {
    /// The frame at which `anchorPosition` sounds.
    let anchorFrame: FrameTime
    let anchorPosition: Int64

    @_noLocks init(position: Int64, at frame: FrameTime) {
        anchorFrame = frame
        anchorPosition = position
    }

    /// The position that sounds at `frame`.
    @_noLocks func position(at frame: FrameTime) -> Int64 { anchorPosition + (frame - anchorFrame) }

    /// The frame at which `position` sounds.
    @_noLocks func frame(at position: Int64) -> FrameTime {
        position == .max ? FrameTime(rawValue: .max) : anchorFrame + (position - anchorPosition)
    }
}

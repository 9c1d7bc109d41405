import BarlineTime

/// A head's position in the playlist's stream.
struct PlaylistReading: BitwiseCopyable {
    /// The frame at which `anchorPosition` plays.
    let anchorFrame: FrameTime
    let anchorPosition: Int64

    @_noLocks init(position: Int64, at frame: FrameTime) {
        anchorFrame = frame
        anchorPosition = position
    }

    /// The position that plays at `frame`.
    @_noLocks func position(at frame: FrameTime) -> Int64 { anchorPosition + (frame - anchorFrame) }

    /// The frame at which `position` plays.
    @_noLocks func frame(at position: Int64) -> FrameTime {
        position == .max ? .never : anchorFrame + (position - anchorPosition)
    }
}

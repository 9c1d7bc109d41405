import BarlineTime

/// The blocks in which effects run. They lie still on the timeline, so that the device's blocks never show.
enum EffectBlock {
    /// The length of the blocks, which begin at multiples of it.
    static var frameCount: Int { @_noLocks get { 32 } }

    /// The start of the block that `frame` is in.
    @_noLocks static func start(of frame: FrameTime) -> FrameTime {
        FrameTime(rawValue: frame.rawValue & ~Int64(frameCount - 1))
    }
}

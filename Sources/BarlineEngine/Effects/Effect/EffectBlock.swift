import BarlineTime

/// The blocks in which effects run. They are fixed on the timeline, so that the output does not depend on the device's
/// blocks.
enum EffectBlock {
    /// The length of the blocks, in frames; each begins at a multiple of it.
    static var frameCount: Int { @_noLocks get { 32 } }

    /// The start of the block that contains `frame`.
    @_noLocks static func start(of frame: FrameTime) -> FrameTime {
        FrameTime(rawValue: frame.rawValue & ~Int64(frameCount - 1))
    }
}

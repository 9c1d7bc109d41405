import BarlineTime

/// The relation of the device's frame count to the rendered frames.
///
/// The first pair is kept as an anchor, so that slips too small to act on accumulate.
struct DeviceClock: BitwiseCopyable, Sendable {
    private var isAnchored = false
    private var deviceFrame: Int64 = 0
    private var engineFrame = FrameTime(rawValue: 0)

    @_noLocks init() {}

    /// The number of frames by which the device is ahead of the rendered frames since the anchor; the first call sets
    /// that.
    @_noLocks mutating func deviation(device: Int64, engine: FrameTime) -> Int64 {
        if !isAnchored { anchor(device: device, engine: engine) }
        return (device &- deviceFrame) &- (engine - engineFrame)
    }

    @_noLocks mutating func anchor(device: Int64, engine: FrameTime) {
        isAnchored = true
        deviceFrame = device
        engineFrame = engine
    }

    /// Resets the anchor: another device, or another sample rate, has another count.
    @_noLocks mutating func reset() { isAnchored = false }
}

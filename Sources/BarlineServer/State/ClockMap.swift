import BarlineTime

/// Finds out when frames are rendered, from looking at the frame counter now and then.
///
/// The counter moves by whole blocks, so what is read is late by up to a block, never early: the earliest of many
/// readings is the truth. Half of them are forgotten at a time, so that the map follows the device's clock.
struct ClockMap {
    private static let span = 2.0
    private var rate = 0.0
    private var earliest = Double.infinity
    private var earliestBefore = Double.infinity
    private var turned = 0.0
    private var lastFrame = FrameTime(.min)

    /// Records that `frame` was the first one not yet rendered at `time`.
    mutating func update(frame: FrameTime, sampleRate: SampleRate, time: Double) {
        let isMoved = lastFrame.rawValue != frame.rawValue
        lastFrame = frame
        // A frame that stays is not rendered again: its readings only get later.
        guard isMoved || earliest == .infinity else { return }
        let offset = time - sampleRate.seconds(frames: frame.rawValue)
        // A rate that changed, or a clock that was stopped for a while: what was known is wrong.
        if rate != sampleRate.hertz || offset > min(earliest, earliestBefore) + 0.5 {
            rate = sampleRate.hertz
            earliestBefore = .infinity
            earliest = offset
            turned = time
        }
        if time - turned > ClockMap.span / 2 {
            earliestBefore = earliest
            earliest = .infinity
            turned = time
        }
        earliest = min(earliest, offset)
    }

    /// The time at which `frame` was, or will be, the first one not yet rendered.
    func time(of frame: FrameTime, sampleRate: SampleRate) -> Double {
        min(earliest, earliestBefore) + sampleRate.seconds(frames: frame.rawValue)
    }
}

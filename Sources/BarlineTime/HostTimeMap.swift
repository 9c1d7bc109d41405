import CRealtime

/// A map from host time to frames, for a device without timestamps of its own.
///
/// The times at which a callback runs jitter by as much as a block; a second-order delay-locked loop filters them.
/// Source: F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005.
@usableFromInline package struct HostTimeMap: Sendable, BitwiseCopyable {
    @usableFromInline let bandwidth: Double
    @usableFromInline var blockStart = HostTime(rawValue: 0)
    @usableFromInline var blockFrame = FrameTime(rawValue: 0)
    @usableFromInline var secondsPerFrame: Double
    @usableFromInline var isLocked = false

    /// Creates a map that has not seen a block yet.
    ///
    /// - Parameters:
    ///   - sampleRate: the device's nominal rate.
    ///   - bandwidth: the bandwidth of the loop, in hertz: a lower one filters more and follows more slowly.
    @_noLocks @inlinable package init(sampleRate: SampleRate, bandwidth: Double = 0.5) {
        self.bandwidth = bandwidth
        secondsPerFrame = 1 / sampleRate.hertz
    }

    /// Updates the map: the block starting at `frame` was requested at `time`. A gap of more than a second resets it.
    @_noLocks @inlinable package mutating func update(time: HostTime, frame: FrameTime) {
        let frames = Double(frame - blockFrame)
        let predicted = blockStart + frames * secondsPerFrame
        let error = time - predicted
        guard isLocked, frames > 0, error < 1, error > -1 else {
            isLocked = true
            blockStart = time
            blockFrame = frame
            return
        }
        let period = frames * secondsPerFrame
        let omega = 2 * Double.pi * bandwidth * period
        // Above a quarter the loop overshoots: a block that long needs no filter.
        let gain = omega < 0.25 ? omega : 0.25
        blockStart = predicted + 1.4142135623730951 * gain * error
        blockFrame = frame
        secondsPerFrame += gain * gain * error / frames
    }

    /// The host time at which `frame` is due.
    @_noLocks @inlinable package func time(of frame: FrameTime) -> HostTime {
        blockStart + Double(frame - blockFrame) * secondsPerFrame
    }

    /// The frame that is due at `time`, not rounded.
    @_noLocks @inlinable package func exactFrame(at time: HostTime) -> Double {
        Double(blockFrame.rawValue) + (time - blockStart) / secondsPerFrame
    }
}

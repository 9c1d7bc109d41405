import BarlineTime
import CRealtime

/// The gain over time: turns the gain required at each frame into a smooth curve that nowhere exceeds it.
///
/// The lowest gain of a window around the frame is held for a while, then released exponentially, and smoothed by three
/// moving averages, which together are shorter than the look-ahead: when a peak leaves the limiter, the curve has
/// reached its gain. Gains are integers in units of 2⁻³⁰, so that the averages are exact, never drift and return to 1.
@usableFromInline
struct GainCurve: BitwiseCopyable, @unchecked Sendable {
    /// A gain of 1.
    @usableFromInline static var one: Int64 { @_noLocks @inlinable get { 1 << 30 } }
    /// How long the lowest gain is held: half a period of the lowest notes, so that their waveforms are not distorted.
    @usableFromInline static var holdSeconds: Double { @_noLocks @inlinable get { 0.015 } }
    /// The time constant of the release.
    @usableFromInline static var releaseSeconds: Double { @_noLocks @inlinable get { 0.06 } }
    /// Frames on either side of a peak over which the curve stays flat.
    @usableFromInline static var flatFrames: Int { @_noLocks @inlinable get { 8 } }

    // The ascending minima of the window, each with its frame; the lowest one first.
    @usableFromInline let lows: UnsafeMutablePointer<Int64>
    @usableFromInline let lowFrames: UnsafeMutablePointer<Int64>
    @usableFromInline let lowMask: Int
    @usableFromInline var firstLow = 0
    @usableFromInline var lowCount = 0
    @usableFromInline var frame: Int64 = 0
    @usableFromInline var windowFrames: Int64 = 1

    @usableFromInline var envelope: Int64 = GainCurve.one
    @usableFromInline var holdFrames = 0
    @usableFromInline var holdLeft = 0
    @usableFromInline var release: Int64 = 0

    @usableFromInline var first: MovingSum
    @usableFromInline var second: MovingSum
    @usableFromInline var third: MovingSum
    @usableFromInline var full: Int64 = 1
    @usableFromInline var scale = 1.0

    /// A curve for up to `capacity` frames of look-ahead.
    init(capacity: Int) {
        var length = 64
        while length < capacity + GainCurve.flatFrames + 4 { length *= 2 }
        lows = .allocate(capacity: length)
        lowFrames = .allocate(capacity: length)
        lows.initialize(repeating: 0, count: length)
        lowFrames.initialize(repeating: 0, count: length)
        lowMask = length - 1
        first = MovingSum(capacity: capacity)
        second = MovingSum(capacity: capacity)
        third = MovingSum(capacity: capacity)
    }

    func deallocate() {
        lows.deallocate()
        lowFrames.deallocate()
        first.deallocate()
        second.deallocate()
        third.deallocate()
    }

    /// Restarts in the reset state, with a look-ahead of `frames` frames at `sampleRate`.
    @_noLocks @inlinable
    mutating func prepare(lookAhead frames: Int, sampleRate: SampleRate) {
        let flat = frames / 4 < GainCurve.flatFrames ? frames / 4 : GainCurve.flatFrames
        windowFrames = Int64(frames + 2 + flat)
        // Cascaded averages of a, b and c frames together span a + b + c − 2.
        let total = frames + 3 - flat
        first.prepare(frames: total / 3)
        second.prepare(frames: (total - total / 3) / 2)
        third.prepare(frames: total - total / 3 - (total - total / 3) / 2)
        holdFrames = Int(sampleRate.frames(seconds: GainCurve.holdSeconds))
        release = Int64(-rt_expm1(-1 / (GainCurve.releaseSeconds * sampleRate.hertz)) * 0x1p32)
        reset()
    }

    /// Discards all required gains.
    @_noLocks @inlinable
    mutating func reset() {
        firstLow = 0
        lowCount = 0
        frame = 0
        envelope = GainCurve.one
        holdLeft = 0
        first.reset(to: GainCurve.one)
        second.reset(to: first.sum)
        third.reset(to: second.sum)
        full = third.sum
        scale = 1 / Double(full)
    }

    /// Whether the curve is at 1, and stays there unless a lower gain is required.
    @usableFromInline var isAtRest: Bool {
        @_noLocks @inlinable get { third.sum == full && lowCount == 0 && envelope == GainCurve.one }
    }

    /// Whether the invariants hold: the window's gains ascend, the curve is between 0 and 1, and each average spans the
    /// right number of frames. O(window).
    @_noLocks @usableFromInline func checkInvariants() -> Bool {
        if lowCount < 0 || lowCount > lowMask + 1 || envelope < 0 || envelope > GainCurve.one { return false }
        for index in 1..<(lowCount > 1 ? lowCount : 1) {
            let (former, next) = ((firstLow + index - 1) & lowMask, (firstLow + index) & lowMask)
            if lows[former] >= lows[next] || lowFrames[former] >= lowFrames[next] { return false }
        }
        return holdLeft >= 0 && holdLeft <= holdFrames && first.checkInvariants() && second.checkInvariants()
            && third.checkInvariants() && third.sum >= 0 && third.sum <= full
    }

    /// Takes the gain required at the next frame, and returns the curve one look-ahead earlier.
    ///
    /// Every gain enters and leaves the window once: amortised O(1) per frame, O(window) for a single frame.
    @_noLocks @inlinable
    mutating func next(_ gain: Int64) -> Float {
        frame += 1
        if gain < GainCurve.one {
            while lowCount > 0, lows[(firstLow + lowCount - 1) & lowMask] >= gain { lowCount -= 1 }
            lows[(firstLow + lowCount) & lowMask] = gain
            lowFrames[(firstLow + lowCount) & lowMask] = frame
            lowCount += 1
        }
        if lowCount > 0, lowFrames[firstLow & lowMask] <= frame - windowFrames {
            firstLow = (firstLow + 1) & lowMask
            lowCount -= 1
        }
        let low = lowCount > 0 ? lows[firstLow & lowMask] : GainCurve.one
        if low <= envelope {
            envelope = low
            holdLeft = holdFrames
        } else if holdLeft > 0 {
            holdLeft -= 1
        } else {
            let step = ((low - envelope) * release) >> 32
            envelope += step > 1 ? step : 1
        }
        first.add(envelope)
        second.add(first.sum)
        third.add(second.sum)
        return third.sum == full ? 1 : Float(Double(third.sum) * scale)
    }
}

/// A moving sum over the last few integers of a sequence.
@usableFromInline
struct MovingSum: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let values: UnsafeMutablePointer<Int64>
    @usableFromInline var count = 1
    @usableFromInline var place = 0
    @usableFromInline var sum: Int64 = 0

    init(capacity: Int) {
        values = .allocate(capacity: capacity + 2)
        values.initialize(repeating: 0, count: capacity + 2)
    }

    func deallocate() { values.deallocate() }

    @_noLocks @inlinable mutating func prepare(frames: Int) { count = frames }

    /// Resets, as if every number had been `value`.
    @_noLocks @inlinable mutating func reset(to value: Int64) {
        for index in 0..<count { values[index] = value }
        place = 0
        sum = value * Int64(count)
    }

    /// Whether the invariants hold: the sum is that of its numbers. O(numbers).
    @_noLocks func checkInvariants() -> Bool {
        if count < 1 || place < 0 || place >= count { return false }
        var total: Int64 = 0
        for index in 0..<count { total += values[index] }
        return total == sum
    }

    @_noLocks @inlinable @inline(__always)
    mutating func add(_ value: Int64) {
        sum += value - values[place]
        values[place] = value
        place += 1
        if place == count { place = 0 }
    }
}

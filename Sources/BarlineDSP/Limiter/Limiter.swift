import BarlineTime
import CKernels
import CRealtime

/// A safety limiter: no true peak above the ceiling leaves it, whatever comes in; a signal whose peaks stay below the
/// ceiling is delayed by ``latency(at:)`` and otherwise unchanged, bit for bit.
///
/// Both channels get the same gain. Peaks include those between samples, oversampled by 4 (ITU-R BS.1770-5, annex 2).
/// The gain is a smooth curve that has reached its minimum when a peak leaves the delay; when turned off, it returns to
/// 1 along the same curve. The output is the same for every block size.
///
/// ```swift
/// var limiter = Limiter(sampleRate: .standard)
/// limiter.process(left: left, right: right, frames: 256)
/// ```
///
/// All memory is allocated at initialisation, for every sample rate.
@usableFromInline package struct Limiter: ~Copyable, @unchecked Sendable {
    @usableFromInline let filter = TruePeakFilter()
    @usableFromInline var curve: GainCurve
    @usableFromInline var line: LimiterLine
    @usableFromInline let peaks: UnsafeMutablePointer<Float>
    @usableFromInline var latency = 0
    /// Frames since the last one that could be near the ceiling.
    @usableFromInline var quietFrames = 0

    @usableFromInline var isOn = true
    @usableFromInline var ceiling: Float = 1
    @usableFromInline var target = 1.0
    /// Up to this level, no peak between samples can exceed the ceiling.
    @usableFromInline var quietLevel: Float = 0
    @usableFromInline var reading = LimiterReading(overCount: 0, peak: 0, gain: 1, lowestGain: 1)

    /// Frames processed at a time.
    @usableFromInline static var pieceFrames: Int { @_noLocks @inlinable get { 256 } }
    /// 0.3 dB: peaks above the ceiling are brought this far below it, as headroom for peaks between the oversampled
    /// points.
    @usableFromInline static var margin: Double { @_noLocks @inlinable get { 0.966_050_878_984_689_9 } }

    /// Creates a limiter in its reset state.
    package init(_ settings: LimiterSettings = LimiterSettings(), sampleRate: SampleRate) {
        let longest = Limiter.latency(at: SampleRate(unchecked: SampleRate.range.upperBound))
        curve = GainCurve(capacity: longest)
        line = LimiterLine(reach: longest + TruePeakFilter.taps)
        peaks = .allocate(capacity: Limiter.pieceFrames + TruePeakFilter.slack)
        peaks.initialize(repeating: 0, count: Limiter.pieceFrames + TruePeakFilter.slack)
        prepare(sampleRate: sampleRate)
        set(isOn: settings.isOn, ceiling: Float(settings.ceiling.amplitude))
    }

    deinit {
        filter.deallocate()
        curve.deallocate()
        line.deallocate()
        peaks.deallocate()
    }

    /// The delay of a limiter, in seconds.
    @usableFromInline static var latencySeconds: Double { @_noLocks @inlinable get { 0.003 } }

    /// The delay of a limiter at `sampleRate`, in frames: 3 ms.
    @_noLocks @inlinable package static func latency(at sampleRate: SampleRate) -> Int {
        Int(sampleRate.frames(seconds: latencySeconds))
    }

    /// Restarts at `sampleRate`, in the reset state.
    @_noLocks @inlinable package mutating func prepare(sampleRate: SampleRate) {
        latency = Limiter.latency(at: sampleRate)
        curve.prepare(lookAhead: latency - TruePeakFilter.lookAhead, sampleRate: sampleRate)
        reset()
    }

    /// Discards the delayed sound.
    @_noLocks @inlinable package mutating func reset() {
        curve.reset()
        line.reset()
        quietFrames = 0
        reading.gain = 1
    }

    /// Turns it on or off and sets the ceiling, an amplitude, for all input from now on.
    @_noLocks @inlinable package mutating func set(isOn: Bool, ceiling: Float) {
        self.isOn = isOn
        self.ceiling = ceiling
        target = Double(ceiling) * Limiter.margin
        quietLevel = ceiling / filter.gain
        quietFrames = 0
    }

    /// Returns the reading and resets its ``LimiterReading/gain``, which covers one block.
    @_noLocks @inlinable package mutating func takeReading() -> LimiterReading {
        let taken = reading
        reading.gain = 1
        return taken
    }

    /// Resets the reading.
    @_noLocks @inlinable package mutating func resetReading() {
        reading = LimiterReading(overCount: 0, peak: 0, gain: reading.gain, lowestGain: 1)
    }

    /// Limits `frames` frames in place. O(`frames`).
    @_noLocks @inlinable package mutating func process(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        var done = 0
        while done < frames {
            let count = frames - done < Limiter.pieceFrames ? frames - done : Limiter.pieceFrames
            processPiece(left: left + done, right: right + done, count)
            done += count
        }
        assert(checkInvariants(), "the curve follows from what was asked of it")
    }

    /// Whether the invariants hold: those of the curve, and the line holds the delayed sound. O(look-ahead).
    @_noLocks @usableFromInline func checkInvariants() -> Bool {
        line.end >= line.reach && line.end <= line.capacity && latency < line.reach && ceiling > 0 && quietFrames >= 0
            && reading.gain >= 0 && reading.gain <= 1 && curve.checkInvariants()
    }

    @_noLocks @inlinable mutating func processPiece(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        let highest = line.append(left: left, right: right, count)
        if highest > reading.peak { reading.peak = highest }
        if highest > 1 { reading.overCount += Int64(line.overCount(ofLast: count)) }
        let isCalm = quietFrames >= TruePeakFilter.taps && highest <= quietLevel
        quietFrames = highest <= quietLevel ? quietFrames + count : 0
        let hasPeak = isOn && !isCalm && findPeaks(count)
        if !hasPeak, curve.isAtRest {
            line.copy(to: left, right, delayed: latency, count)
            return
        }
        let delayedLeft = line.left(delayed: latency, count)
        let delayedRight = line.right(delayed: latency, count)
        var lowest: Float = 1
        for index in 0..<count {
            var wanted = GainCurve.one
            if hasPeak, peaks[index] > ceiling {
                wanted = Int64(target / Double(peaks[index]) * Double(GainCurve.one))
            }
            let gain = curve.next(wanted)
            if gain < lowest { lowest = gain }
            left[index] = delayedLeft[index] * gain
            right[index] = delayedRight[index] * gain
        }
        if lowest < reading.gain { reading.gain = lowest }
        if lowest < reading.lowestGain { reading.lowestGain = lowest }
    }

    /// Measures the last `count` frames whose neighbours are all known; returns whether any exceeds the ceiling.
    @_noLocks @inlinable mutating func findPeaks(_ count: Int) -> Bool {
        dsp_clear(peaks, count)
        filter.raise(peaks, by: line.left(delayed: TruePeakFilter.lookAhead, count), count: count)
        filter.raise(peaks, by: line.right(delayed: TruePeakFilter.lookAhead, count), count: count)
        return dsp_any_above(peaks, ceiling, count)
    }
}

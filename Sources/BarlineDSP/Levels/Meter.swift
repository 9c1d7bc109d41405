import BarlineTime
import CKernels
import CRealtime

/// The reading of a meter: peak and RMS of two channels as amplitudes, 0 for anything below −140 dB.
public struct MeterReading: Hashable, Sendable, BitwiseCopyable {
    /// The decaying peak of the left channel.
    public var peakLeft: Float
    /// The decaying peak of the right channel.
    public var peakRight: Float
    /// The root of the mean square of the left channel over about 0.3 s.
    public var rmsLeft: Float
    /// The root of the mean square of the right channel over about 0.3 s.
    public var rmsRight: Float

    /// A meter at rest.
    public static let silence = MeterReading(peakLeft: 0, peakRight: 0, rmsLeft: 0, rmsRight: 0)

    /// Creates a reading.
    @_noLocks @inlinable package init(peakLeft: Float, peakRight: Float, rmsLeft: Float, rmsRight: Float) {
        self.peakLeft = peakLeft
        self.peakRight = peakRight
        self.rmsLeft = rmsLeft
        self.rmsRight = rmsRight
    }
}

/// The decay of meters over a block, computed once for all of them, because it is too expensive to be computed for
/// each.
@usableFromInline package struct MeterBallistics: BitwiseCopyable, Sendable {
    /// The block's length in frames.
    @usableFromInline package let frames: Int
    @usableFromInline let fall: Float
    @usableFromInline let keep: Float

    /// The ballistics of a block of `frames` frames.
    @_noLocks @inlinable package init(frames: Int, sampleRate: SampleRate) {
        self.frames = frames
        fall = Float(rt_pow(1 - Meter.decay / sampleRate.hertz, Double(frames)))
        keep = Float(rt_exp(-Double(frames) / (Meter.integrationSeconds * sampleRate.hertz)))
    }
}

/// A stereo meter: peak with exponential decay, and RMS, updated once per block.
///
/// The peak follows `level ← max(peak, level · (1 − k/R)^frames)` with ``decay`` for `k`.
@usableFromInline package struct Meter: BitwiseCopyable, Sendable {
    /// `k` of the decay: the peak falls by 20 dB in 1.5 s, the return time of IEC 60268-10 type I.
    @usableFromInline package static var decay: Double { @_noLocks @inlinable get { 1.5350567286626973 } }
    /// The time constant of the mean of squares, in seconds.
    @usableFromInline static var integrationSeconds: Double { @_noLocks @inlinable get { 0.3 } }
    /// The amplitude of −140 dB, below which a meter shows 0.
    @usableFromInline package static var floor: Float { @_noLocks @inlinable get { 1e-7 } }
    /// The square of ``floor``.
    @usableFromInline static var squareFloor: Float { @_noLocks @inlinable get { 1e-14 } }

    @usableFromInline var peakLeft: Float = 0
    @usableFromInline var peakRight: Float = 0
    @usableFromInline var squareLeft: Float = 0
    @usableFromInline var squareRight: Float = 0

    /// A meter at rest.
    @_noLocks @inlinable package init() {}

    /// Measures a block.
    ///
    /// - Parameters:
    ///   - left: `frames` samples of the left channel.
    ///   - right: `frames` samples of the right channel.
    ///   - ballistics: those of the block's length; a length of 0 changes nothing.
    @_noLocks @inlinable package mutating func update(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, _ ballistics: MeterBallistics
    ) {
        let frames = ballistics.frames
        if frames <= 0 { return }
        update(left: dsp_measure(left, frames), right: dsp_measure(right, frames), ballistics)
    }

    /// Updates with the levels of a block of both channels.
    @_noLocks @inlinable package mutating func update(
        left levelLeft: dsp_level, right levelRight: dsp_level, _ ballistics: MeterBallistics
    ) {
        let fall = ballistics.fall
        let keep = ballistics.keep
        let newSquareLeft = Meter.finite(levelLeft.mean_square)
        let newSquareRight = Meter.finite(levelRight.mean_square)
        peakLeft = Meter.larger(Meter.finite(levelLeft.peak), peakLeft * fall)
        peakRight = Meter.larger(Meter.finite(levelRight.peak), peakRight * fall)
        squareLeft = newSquareLeft + (squareLeft - newSquareLeft) * keep
        squareRight = newSquareRight + (squareRight - newSquareRight) * keep
        assert(checkInvariants(), "a meter shows levels")
    }

    /// Whether the invariants hold: levels are finite and none is below 0, so that the meter can fall again.
    @_noLocks @usableFromInline package func checkInvariants() -> Bool {
        peakLeft >= 0 && peakLeft < .infinity && peakRight >= 0 && peakRight < .infinity && squareLeft >= 0
            && squareLeft < .infinity && squareRight >= 0 && squareRight < .infinity
    }

    /// Whether the meter reads zero, and silence would leave it so.
    @inlinable package var isAtRest: Bool {
        @_noLocks get {
            let floor = Meter.floor
            return peakLeft < floor && peakRight < floor && squareLeft < Meter.squareFloor
                && squareRight < Meter.squareFloor
        }
    }

    /// The current reading.
    @inlinable package var reading: MeterReading {
        @_noLocks get {
            MeterReading(
                peakLeft: Meter.shown(peakLeft), peakRight: Meter.shown(peakRight),
                rmsLeft: Meter.shown(Float(rt_sqrt(Double(squareLeft)))),
                rmsRight: Meter.shown(Float(rt_sqrt(Double(squareRight)))))
        }
    }

    @_noLocks @inlinable static func shown(_ level: Float) -> Float { level < floor ? 0 : level }

    /// The level of a block; silence if any sample in it was not finite.
    @_noLocks @inlinable static func finite(_ level: Float) -> Float { level - level == 0 ? level : 0 }

    @_noLocks @inlinable static func larger(_ first: Float, _ second: Float) -> Float {
        first > second ? first : second
    }
}

import BarlineDSP
import BarlineTime
import CRealtime

/// A number of an effect that can move: a ramp on the parameter's scale. For the audio thread.
///
/// Its value is a function of the frame, and so the same however the timeline is cut into blocks. What its numbers mean
/// and may be is in the ``ParameterDescription`` of the same place in ``EffectKind/parameters``; the control side lets
/// nothing else through.
struct Parameter: BitwiseCopyable, Sendable {
    /// The value, or its logarithm to base 2 where the scale is logarithmic.
    private var ramp: Ramp
    private let isLogarithmic: Bool

    /// A parameter that stays at `value`.
    @_noLocks init(_ value: Double, isLogarithmic: Bool = false) {
        self.isLogarithmic = isLogarithmic
        ramp = Ramp(constant: Float(isLogarithmic ? rt_log2(value) : value))
    }

    /// The value at `frame`.
    @_noLocks func value(at frame: FrameTime) -> Double { onScale(ramp.value(at: frame)) }

    /// Where the value goes, or has arrived.
    var target: Double { @_noLocks get { onScale(ramp.target) } }

    /// The frame at which the latest ramp began.
    var start: FrameTime { @_noLocks get { ramp.start } }

    /// Whether the value no longer changes from `frame` on.
    @_noLocks func isSettled(at frame: FrameTime) -> Bool { ramp.isSettled(at: frame) }

    /// Sends the value from where it is at `frame` to `target`, on a straight line of the scale.
    @_noLocks mutating func set(_ target: Double, at frame: FrameTime, frames: Int64) {
        ramp = ramp.redirected(to: Float(isLogarithmic ? rt_log2(target) : target), at: frame, frames: frames)
    }

    @_noLocks private func onScale(_ value: Float) -> Double {
        isLogarithmic ? rt_exp2(Double(value)) : Double(value)
    }
}

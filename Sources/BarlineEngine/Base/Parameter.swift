import BarlineDSP
import BarlineTime

/// A number of an effect that can move: a ramp on a scale. For the audio thread.
///
/// Its value is a function of the frame, and so the same however the timeline is cut into blocks. What its numbers mean
/// and may be is in the ``ParameterDescription`` of the same place in ``EffectKind/parameters``; the control side lets
/// nothing else through.
struct Parameter: BitwiseCopyable, Sendable {
    /// The value's place on the scale.
    private var ramp: Ramp
    /// The scale of the latest ramp, and whether that is the parameter's own.
    private var scale: Scale
    private var isNatural = true
    private let natural: Scale

    /// A parameter that stays at `value`.
    @_noLocks init(_ value: Double, isLogarithmic: Bool = false) {
        natural = isLogarithmic ? .logarithmic : .straight
        scale = natural
        ramp = Ramp(constant: Float(natural.position(of: value)))
    }

    /// The value at `frame`.
    @_noLocks func value(at frame: FrameTime) -> Double { scale.value(at: Double(ramp.value(at: frame))) }

    /// Where the value goes, or has arrived.
    var target: Double { @_noLocks get { scale.value(at: Double(ramp.target)) } }

    /// The frame at which the latest ramp began.
    var start: FrameTime { @_noLocks get { ramp.start } }

    /// Whether the value no longer changes from `frame` on.
    @_noLocks func isSettled(at frame: FrameTime) -> Bool { ramp.isSettled(at: frame) }

    /// Sends the value from where it is at `frame` to `target`.
    @_noLocks mutating func set(_ target: Double, at frame: FrameTime, frames: Int64, _ curve: Curve = .natural) {
        let wasNatural = isNatural
        if case .natural = curve { isNatural = true } else { isNatural = false }
        if !isNatural || !wasNatural {
            let value = value(at: frame)
            scale = Scale(of: curve, natural: natural)
            ramp = Ramp(constant: Float(scale.position(of: value)))
        }
        ramp = ramp.redirected(to: Float(scale.position(of: target)), at: frame, frames: frames)
    }
}

import BarlineDSP
import BarlineTime

/// A numeric effect parameter that can ramp on a scale. For the audio thread.
///
/// Its value is a function of the frame, and so independent of how the timeline is cut into blocks. Its unit and range
/// are in the ``ParameterDescription`` at the same index of ``EffectKind/parameters``; the control side rejects
/// anything else.
struct Parameter: BitwiseCopyable, Sendable {
    /// The ramp, in positions on the scale.
    private var ramp: Ramp
    /// The scale of the latest ramp, whether that is the parameter's own scale, and the latter.
    private var scale: Scale
    private var isNatural = true
    private let natural: Scale

    /// Creates a parameter that stays at `value`.
    @_noLocks init(_ value: Double, isLogarithmic: Bool = false) {
        natural = isLogarithmic ? .logarithmic : .straight
        scale = natural
        ramp = Ramp(constant: Float(natural.position(of: value)))
    }

    /// The value at `frame`.
    @_noLocks func value(at frame: FrameTime) -> Double { scale.value(at: Double(ramp.value(at: frame))) }

    /// The value that the latest ramp leads to.
    var target: Double { @_noLocks get { scale.value(at: Double(ramp.target)) } }

    /// The frame at which the latest ramp began.
    var start: FrameTime { @_noLocks get { ramp.start } }

    /// Whether the value no longer changes from `frame` on.
    @_noLocks func isSettled(at frame: FrameTime) -> Bool { ramp.isSettled(at: frame) }

    /// Continues from `frame` at another sample rate, `ratio` times the former one: what is left of a ramp keeps its
    /// duration in seconds.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        ramp = ramp.stretched(at: frame, by: ratio)
    }

    /// Ramps the value from where it is at `frame` to `target`.
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

import BarlineTime

/// A numeric parameter of the mixer or of an effect, which ramps along a ``Curve``. For the audio thread.
///
/// Its value is a function of the frame, and so independent of how the timeline is cut into blocks; it ends at its
/// target, to the bit. Unit and range are those of what it belongs to: amplitudes for faders and sends, −1 … 1 for pan,
/// the ``ParameterDescription`` at the same index of ``EffectKind/parameters`` for effects. The control side rejects
/// anything else.
struct Parameter: BitwiseCopyable, Sendable {
    /// The frame at which the latest ramp began.
    private(set) var start = FrameTime(rawValue: 0)
    /// The length of the latest ramp, in frames.
    private(set) var frames: Int64 = 0
    /// The value at and after the end.
    private(set) var target: Double
    /// What it measures, and the scale of the latest ramp.
    private let quantity: Quantity
    private var scale: Scale
    /// The start and the end of the latest ramp, as positions on the scale.
    private var origin: Double
    private var destination: Double

    /// The quantity that a parameter measures, which decides what a curve is a straight line of.
    enum Quantity: BitwiseCopyable, Sendable {
        /// Amplitudes, and what has no scale of its own.
        case amplitude
        /// Frequencies and ratios.
        case frequency
        /// A pan, −1 … 1.
        case balance

        /// The scale on which a curve is a straight line.
        @_noLocks func scale(of curve: Curve) -> Scale {
            switch self {
            case .amplitude: Scale(of: curve, natural: .straight)
            case .frequency: Scale(of: curve, natural: .logarithmic)
            case .balance: Scale(ofBalance: curve)
            }
        }
    }

    /// Creates a parameter that stays at `value`.
    @_noLocks init(_ value: Double, of quantity: Quantity = .amplitude) {
        target = value
        self.quantity = quantity
        scale = quantity.scale(of: .natural)
        origin = scale.position(of: value)
        destination = origin
    }

    /// The frame from which on it is constant.
    var end: FrameTime { @_noLocks get { start + frames } }

    /// Whether it is constant from `frame` on.
    @_noLocks func isSettled(at frame: FrameTime) -> Bool { frame >= end }

    /// The value at `frame`.
    @_noLocks func value(at frame: FrameTime) -> Double {
        let elapsed = frame - start
        if elapsed >= frames { return target }
        if elapsed <= 0 { return scale.value(at: origin) }
        return scale.value(at: origin + (destination - origin) * (Double(elapsed) / Double(frames)))
    }

    /// Ramps from the value at `frame` to `target` over `frames` frames.
    @_noLocks mutating func set(_ target: Double, at frame: FrameTime, frames: Int64, _ curve: Curve = .natural) {
        let value = value(at: frame)
        self.target = target
        scale = quantity.scale(of: curve)
        origin = scale.position(of: value)
        destination = scale.position(of: target)
        start = frame
        self.frames = frames
    }

    /// Whether the invariants hold: every value from the start of the latest ramp to its target is finite.
    @_noLocks func checkInvariants() -> Bool {
        frames >= 0 && target - target == 0 && origin - origin == 0 && destination - destination == 0
    }

    /// Continues from `frame` at another sample rate, `ratio` times the former: the rest of the ramp keeps its duration
    /// in seconds.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        if isSettled(at: frame) { return }
        let left = Double(end - frame) * ratio
        if frame > start { origin += (destination - origin) * (Double(frame - start) / Double(frames)) }
        start = frame
        frames = Int64(left + 0.5)
    }
}

import BarlineTime

/// The length and the curve of a change of a value.
struct Glide: BitwiseCopyable, Sendable {
    let length: RampLength
    let curve: Curve

    init(_ length: RampLength = .shortest, _ curve: Curve = .natural) {
        self.length = length
        self.curve = curve
    }

    /// Whether a length was specified.
    var isTween: Bool {
        @_noLocks get {
            if case .shortest = length { return false }
            return true
        }
    }
}

/// A fader or pan ramp: a straight line on the scale of its curve, from a frame on. For the audio thread.
///
/// The value is a function of the frame, and so independent of how the timeline is cut into blocks.
struct Tween: BitwiseCopyable, Sendable {
    private(set) var start = FrameTime(rawValue: 0)
    private(set) var frames: Int64 = 0
    /// The value at and after the end.
    private(set) var target: Double
    private var scale = Scale.straight
    /// The start and the end of the line, on the scale.
    private var origin: Double
    private var destination: Double

    /// Creates a constant value.
    @_noLocks init(_ value: Double) {
        target = value
        origin = value
        destination = value
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
    @_noLocks mutating func send(to target: Double, at frame: FrameTime, frames: Int64, _ curve: Curve) {
        let value = value(at: frame)
        self.target = target
        scale = Scale(of: curve, natural: .straight)
        origin = scale.position(of: value)
        destination = scale.position(of: target)
        start = frame
        self.frames = frames
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

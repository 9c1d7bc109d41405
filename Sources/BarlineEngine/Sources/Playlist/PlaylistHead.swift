import BarlineDSP
import BarlineTime
import CRealtime

/// A place at which the audio thread reads a deck.
struct PlaylistHead: BitwiseCopyable, @unchecked Sendable {
    enum Phase: BitwiseCopyable {
        case free
        case playing
        /// Fading out until `envelope` has settled.
        case leaving
    }

    var phase = Phase.free
    let deck: Int
    /// The frame at which `anchorPosition` sounds.
    let anchorFrame: FrameTime
    let anchorPosition: Int64
    var envelope = Ramp(constant: 1)
    /// Whether the envelope is a quarter of a sine, so that two that cross are of equal power.
    var isCurved = false

    @_noLocks init(deck: Int, position: Int64, at frame: FrameTime) {
        self.deck = deck
        anchorFrame = frame
        anchorPosition = position
    }

    var isFree: Bool {
        @_noLocks get {
            if case .free = phase { return true }
            return false
        }
    }

    /// The position that sounds at `frame`.
    @_noLocks func position(at frame: FrameTime) -> Int64 { anchorPosition + (frame - anchorFrame) }

    /// The frame at which `position` sounds.
    @_noLocks func frame(at position: Int64) -> FrameTime {
        position == .max ? FrameTime(rawValue: .max) : anchorFrame + (position - anchorPosition)
    }

    @_noLocks func gain(at frame: FrameTime) -> Float { shaped(envelope.value(at: frame)) }

    @_noLocks private func shaped(_ value: Float) -> Float {
        isCurved ? Float(rt_sin(Double(value) * .pi / 2)) : value
    }

    /// Turns the envelope towards `target`, from the gain that it has.
    @_noLocks mutating func fade(to target: Float, at frame: FrameTime, frames: Int64, isCurved curved: Bool) {
        let gain = self.gain(at: frame)
        var origin = gain
        if curved { origin = Float(rt_asin(Double(gain < 1 ? gain : 1)) * 2 / .pi) }
        isCurved = curved
        envelope = Ramp(from: origin, to: target, start: frame, frames: frames)
    }
}

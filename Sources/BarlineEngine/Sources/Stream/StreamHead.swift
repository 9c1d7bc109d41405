import BarlineDSP
import BarlineTime
import CRealtime

/// A play head: a place at which the audio thread reads a deck, with an envelope.
///
/// The mapping from frames to positions is up to the source, in memory of its own: for playlists a frame number, for
/// stems a time in seconds, which may follow the beat.
struct StreamHead: BitwiseCopyable, @unchecked Sendable {
    /// The phase of a head's life.
    enum Phase: BitwiseCopyable {
        case free
        case playing
        /// Fading out until the envelope has settled.
        case leaving
    }

    var phase = Phase.playing
    let decks: StreamDecks.Readers
    let deck: Int
    var envelope = Ramp(constant: 1)
    /// Whether the envelope is a quarter sine, so that two that crossfade have equal power.
    var isCurved = false

    /// Creates a head that plays `deck` at full level.
    @_noLocks init(_ decks: StreamDecks.Readers, deck: Int) {
        self.decks = decks
        self.deck = deck
    }

    var isFree: Bool {
        @_noLocks get {
            if case .free = phase { return true }
            return false
        }
    }

    var isPlaying: Bool {
        @_noLocks get {
            if case .playing = phase { return true }
            return false
        }
    }

    var isLeaving: Bool {
        @_noLocks get {
            if case .leaving = phase { return true }
            return false
        }
    }

    @_noLocks func gain(at frame: FrameTime) -> Float { shaped(envelope.value(at: frame)) }

    @_noLocks private func shaped(_ value: Float) -> Float {
        isCurved ? Float(rt_sin(Double(value) * .pi / 2)) : value
    }

    /// Whether it is silent from `frame` on, until its envelope changes.
    @_noLocks func isSilent(at frame: FrameTime) -> Bool { envelope.isSettled(at: frame) && envelope.target == 0 }

    /// Whether the invariants hold: it reads a deck that exists, at a level between silence and its own.
    @_noLocks func checkInvariants() -> Bool {
        deck >= 0 && deck < decks.count && envelope.target >= 0 && envelope.target <= 1
    }

    /// Fades in from silence.
    @_noLocks mutating func fadeIn(at frame: FrameTime, frames: Int64, isCurved curved: Bool = false) {
        isCurved = curved
        envelope = Ramp(from: 0, to: 1, start: frame, frames: frames)
    }

    /// Ramps the envelope to `target`, from its current gain.
    @_noLocks mutating func fade(to target: Float, at frame: FrameTime, frames: Int64, isCurved curved: Bool = false) {
        let gain = self.gain(at: frame)
        var origin = gain
        if curved { origin = Float(rt_asin(Double(gain < 1 ? gain : 1)) * 2 / .pi) }
        isCurved = curved
        envelope = Ramp(from: origin, to: target, start: frame, frames: frames)
    }
}

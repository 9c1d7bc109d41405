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
    /// The fade-in of the head that it has taken over from, which goes on.
    private var swell = Ramp(constant: 1)
    private var isSwellCurved = false

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

    @_noLocks func gain(at frame: FrameTime) -> Float {
        shaped(envelope.value(at: frame), isCurved) * shaped(swell.value(at: frame), isSwellCurved)
    }

    @_noLocks private func shaped(_ value: Float, _ isCurved: Bool) -> Float {
        isCurved ? Float(rt_sin(Double(value) * .pi / 2)) : value
    }

    /// Whether its gain is the same from `frame` on, until its envelope changes.
    @_noLocks func isSettled(at frame: FrameTime) -> Bool {
        envelope.isSettled(at: frame) && swell.isSettled(at: frame)
    }

    /// Whether it is silent from `frame` on, until its envelope changes.
    @_noLocks func isSilent(at frame: FrameTime) -> Bool { envelope.isSettled(at: frame) && envelope.target == 0 }

    /// Whether the invariants hold: it reads a deck that exists, at a level between silence and its own.
    @_noLocks func checkInvariants() -> Bool {
        deck >= 0 && deck < decks.count && envelope.target >= 0 && envelope.target <= 1
    }

    /// Takes over from another head as if it had been that one.
    @_noLocks mutating func takeLevel(of other: StreamHead) {
        envelope = other.envelope
        isCurved = other.isCurved
        swell = other.swell
        isSwellCurved = other.isSwellCurved
    }

    /// Goes on with a fade-in of the head that it takes over from, beside its own.
    @_noLocks mutating func takeSwell(of other: StreamHead, at frame: FrameTime) {
        let hasOwn = other.swell.isSettled(at: frame)
        swell = hasOwn ? other.envelope : other.swell
        isSwellCurved = hasOwn ? other.isCurved : other.isSwellCurved
    }

    /// Fades in from silence.
    @_noLocks mutating func fadeIn(at frame: FrameTime, frames: Int64, isCurved curved: Bool = false) {
        isCurved = curved
        envelope = Ramp(from: 0, to: 1, start: frame, frames: frames)
    }

    /// Ramps the envelope to `target`, from its current gain.
    @_noLocks mutating func fade(to target: Float, at frame: FrameTime, frames: Int64, isCurved curved: Bool = false) {
        let gain = self.gain(at: frame)
        swell = Ramp(constant: 1)
        var origin = gain
        if curved { origin = Float(rt_asin(Double(gain < 1 ? gain : 1)) * 2 / .pi) }
        isCurved = curved
        envelope = Ramp(from: origin, to: target, start: frame, frames: frames)
    }
}

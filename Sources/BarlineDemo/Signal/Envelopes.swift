/// A falling exponential, computed with one multiplication a frame.
struct Decay: Sendable {
    private var value: Double
    private let factor: Double

    /// Falls from `level` by a factor of e every `seconds`.
    init(seconds: Double, rate: Double, level: Double = 1) {
        value = level
        factor = Maths.exponential(-1 / (seconds * rate))
    }

    /// The next value.
    mutating func next() -> Double {
        let current = value
        value *= factor
        return current
    }
}

/// A level with eased ends: rises, falls toward a sustain, and is let go of.
struct Envelope: Sendable {
    private let attack: Double
    private let hold: Double
    private let release: Double
    private let sustain: Double
    private var fall: Decay
    private let step: Double
    private var time = 0.0

    /// Times are in seconds; `hold` counts from the start to the moment the note is let go of.
    init(attack: Double, decay: Double, sustain: Double, hold: Double, release: Double, rate: Double) {
        self.attack = attack
        self.hold = hold
        self.release = release
        self.sustain = sustain
        fall = Decay(seconds: decay, rate: rate, level: 1 - sustain)
        step = 1 / rate
    }

    /// How long the whole shape lasts.
    var duration: Double { hold + release }

    /// The next value.
    mutating func next() -> Double {
        var value = Maths.smooth(time / attack)
        if time >= attack { value = sustain + fall.next() }
        if time > hold { value *= 1 - Maths.smooth((time - hold) / release) }
        time += step
        return value
    }
}

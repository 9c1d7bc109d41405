/// A band-limited oscillator: sawtooth or pulse with its corners rounded by a polynomial step (polyBLEP).
struct Oscillator: Sendable {
    private var phase: Double
    private var step: Double

    /// An oscillator at `hertz` on a canvas of `rate` frames a second, starting at `phase` turns.
    init(hertz: Double, rate: Double, phase: Double = 0) {
        self.phase = phase - phase.rounded(.down)
        step = hertz / rate
    }

    /// Changes the pitch without a break in the wave.
    mutating func tune(hertz: Double, rate: Double) {
        step = hertz / rate
    }

    /// The next sample of a rising sawtooth.
    mutating func saw() -> Double {
        let value = 2 * phase - 1 - corner(phase)
        advance()
        return value
    }

    /// The next sample of a pulse high for `width` of each cycle, centred so that the width adds no offset.
    mutating func pulse(width: Double) -> Double {
        let fall = phase < width ? phase + 1 - width : phase - width
        let value = (phase < width ? 1.0 : -1.0) + corner(phase) - corner(fall)
        advance()
        return value - (2 * width - 1)
    }

    /// The next sample of a sine.
    mutating func sine() -> Double {
        let value = Maths.sine(turns: phase)
        advance()
        return value
    }

    /// The next sample of a sine whose phase is pushed by `turns`: the carrier of an FM pair.
    mutating func sine(pushedBy turns: Double) -> Double {
        let value = Maths.sine(turns: phase + turns)
        advance()
        return value
    }

    private mutating func advance() {
        phase += step
        if phase >= 1 { phase -= 1 }
    }

    /// What to add around an upward step at phase 0 so that it holds less above half the sample rate.
    private func corner(_ phase: Double) -> Double {
        if phase < step {
            let x = phase / step
            return x + x - x * x - 1
        }
        if phase > 1 - step {
            let x = (phase - 1) / step
            return x * x + x + x + 1
        }
        return 0
    }
}

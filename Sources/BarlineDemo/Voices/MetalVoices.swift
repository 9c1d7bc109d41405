import BarlineDSP

/// The bright half of the kit: hats, shaker and rim.
enum MetalVoices {
    /// A hat, closed or open according to how long it rings.
    static func hat(_ canvas: inout LoopCanvas, _ placement: Placement, ring: Double, noise: inout SplitMix64) {
        let rate = canvas.rate
        var partials = [2_051.0, 3_014, 3_693, 4_377, 5_219, 6_113].map { Oscillator(hertz: $0, rate: rate) }
        var sharp = StateVariableFilter(rate: rate, cutoff: 7_200, quality: 0.9)
        var floor = StateVariableFilter(rate: rate, cutoff: 5_600)
        var tail = Decay(seconds: ring, rate: rate, level: 0.75)
        var tip = Decay(seconds: 0.006, rate: rate, level: 0.5)
        var random = noise
        canvas.stamp(placement, seconds: ring * 6) {
            var metal = 0.0
            for index in partials.indices { metal += partials[index].pulse(width: 0.5) }
            let strike = metal * 0.16 + random.bipolar() * 0.75
            return floor.high(sharp.high(strike)) * (tail.next() + tip.next())
        }
        noise = random
    }

    /// A shaker: grains thrown forward, so that its loudest moment comes a little after it starts to move.
    static func shaker(_ canvas: inout LoopCanvas, _ placement: Placement, noise: inout SplitMix64) {
        let rate = canvas.rate
        var grain = StateVariableFilter(rate: rate, cutoff: 6_800, quality: 1.1)
        var shape = Envelope(attack: 0.008, decay: 0.03, sustain: 0, hold: 0.12, release: 0.02, rate: rate)
        var random = noise
        canvas.stamp(placement, seconds: shape.duration) {
            grain.band(random.bipolar()) * shape.next() * 1.6
        }
        noise = random
    }

    /// A rim shot: two struck resonances, gone almost at once.
    static func rim(_ canvas: inout LoopCanvas, _ placement: Placement) {
        let rate = canvas.rate
        var low = Oscillator(hertz: 880, rate: rate)
        var high = Oscillator(hertz: 1_760 * 1.03, rate: rate)
        var body = Decay(seconds: 0.016, rate: rate, level: 0.8)
        var tick = Decay(seconds: 0.006, rate: rate, level: 0.8)
        canvas.stamp(placement, seconds: 0.12) {
            low.sine() * body.next() + high.sine() * tick.next()
        }
    }
}

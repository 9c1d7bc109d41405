import BarlineDSP

/// The skins of the kit: kick, snare, clap and tom. Each is painted once per hit.
enum DrumVoices {
    /// A kick that falls to A, the key's root, with a short click on top; `weight` lengthens its body.
    static func kick(_ canvas: inout LoopCanvas, _ placement: Placement, weight: Double, noise: inout SplitMix64) {
        let rate = canvas.rate
        var sweep = Decay(seconds: 0.021, rate: rate, level: 150)
        var snap = Decay(seconds: 0.004, rate: rate, level: 420)
        var body = Decay(seconds: 0.13 * weight, rate: rate)
        var click = Decay(seconds: 0.0025, rate: rate, level: 0.35)
        var edge = StateVariableFilter(rate: rate, cutoff: 2_600, quality: 0.8)
        var phase = 0.0
        var random = noise
        canvas.stamp(placement, seconds: 0.5 * weight) {
            phase += (55 + sweep.next() + snap.next()) / rate
            let drum = Maths.softClip(Maths.sine(turns: phase) * body.next() * 1.9)
            return drum + edge.band(random.bipolar()) * click.next()
        }
        noise = random
    }

    /// A snare: two tones of the skin under a burst of noise from the wires.
    static func snare(_ canvas: inout LoopCanvas, _ placement: Placement, noise: inout SplitMix64) {
        let rate = canvas.rate
        var low = Oscillator(hertz: 184, rate: rate)
        var high = Oscillator(hertz: 331, rate: rate)
        var skin = Decay(seconds: 0.055, rate: rate, level: 0.55)
        var bend = Decay(seconds: 0.012, rate: rate, level: 60)
        var wires = Decay(seconds: 0.085, rate: rate, level: 0.9)
        var colour = StateVariableFilter(rate: rate, cutoff: 3_400, quality: 0.5)
        var floor = StateVariableFilter(rate: rate, cutoff: 900)
        var random = noise
        canvas.stamp(placement, seconds: 0.4) {
            low.tune(hertz: 184 + bend.next(), rate: rate)
            let tone = (low.sine() + 0.6 * high.sine()) * skin.next()
            return tone + floor.high(colour.band(random.bipolar())) * wires.next() * 1.5
        }
        noise = random
    }

    /// A clap: three near bursts and a tail, with noise of its own on each side so that it sounds like several hands.
    static func clap(_ canvas: inout LoopCanvas, _ placement: Placement, noise: inout SplitMix64) {
        let rate = canvas.rate
        let gain = placement.gain
        var left = StateVariableFilter(rate: rate, cutoff: 1_350, quality: 1.3)
        var right = StateVariableFilter(rate: rate, cutoff: 1_480, quality: 1.3)
        var tail = Decay(seconds: 0.075, rate: rate, level: 0.8)
        var time = 0.0
        var random = noise
        canvas.stampStereo(placement, seconds: 0.4) {
            let burst = time < 0.027 ? Maths.exponential(-time.truncatingRemainder(dividingBy: 0.009) / 0.0032) : 0
            let level = (burst + (time < 0.018 ? 0 : tail.next())) * gain * 1.8
            time += 1 / rate
            return StereoSample(left.band(random.bipolar()), right.band(random.bipolar())) * level
        }
        noise = random
    }

    /// A small hand drum at a MIDI pitch.
    static func tom(_ canvas: inout LoopCanvas, _ placement: Placement, pitch: Double) {
        let rate = canvas.rate
        let hertz = Maths.hertz(pitch)
        var wave = Oscillator(hertz: hertz, rate: rate)
        var overtone = Oscillator(hertz: hertz * 1.59, rate: rate)
        var bend = Decay(seconds: 0.018, rate: rate, level: hertz * 0.35)
        var body = Decay(seconds: 0.1, rate: rate)
        var ring = Decay(seconds: 0.03, rate: rate, level: 0.4)
        canvas.stamp(placement, seconds: 0.5) {
            wave.tune(hertz: hertz + bend.next(), rate: rate)
            return wave.sine() * body.next() + overtone.sine() * ring.next()
        }
    }
}

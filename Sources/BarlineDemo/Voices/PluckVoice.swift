import BarlineDSP

/// A plucked string: a wave going round a delay line that softens it on every cycle (Karplus and Strong).
struct PluckVoice: Sendable {
    /// Seconds for the string to fall by 60 dB.
    var ring = 2.2
    /// How bright the pluck is, as a cutoff in hertz.
    var brightness = 6_500.0
    /// How much of the top is lost on each cycle, from 0 to 0.5.
    var softness = 0.2

    /// Paints a note at a place between the speakers.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, pan: Double, random: inout SplitMix64) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        // What softens the string also delays it, by very nearly `softness` frames; the all-pass makes up the fraction.
        let period = rate / hertz - softness
        let length = Int(period - 0.3)
        let fraction = period - Double(length)
        let allPass = (1 - fraction) / (1 + fraction)
        var line = burst(length: length, rate: rate, velocity: note.velocity, random: &random)
        let loss = Maths.gain(decibels: -60 / (ring * hertz))
        let keep = 1 - softness
        let soft = softness
        var head = 0
        var previous = 0.0
        var passedInput = 0.0
        var passedOutput = 0.0
        var level = Envelope(
            attack: 0.001, decay: 1, sustain: 1, hold: canvas.seconds(beats: note.beats), release: 0.15, rate: rate)
        let placement = Placement(beat: note.beat, gain: note.velocity, pan: pan)
        canvas.stamp(placement, seconds: level.duration) {
            let arrived = line[head]
            let softened = (keep * arrived + soft * previous) * loss
            previous = arrived
            let tuned = allPass * (softened - passedOutput) + passedInput
            passedInput = softened
            passedOutput = tuned
            line[head] = tuned
            head += 1
            if head == length { head = 0 }
            return arrived * level.next()
        }
    }

    /// One period of the string as it is let go of: pulled to a corner, with the noise of the plectrum on it.
    ///
    /// It has no offset, which the string would carry on ringing, and equal power, so that a line's notes are even.
    private func burst(length: Int, rate: Double, velocity: Double, random: inout SplitMix64) -> [Double] {
        var filter = StateVariableFilter(rate: rate, cutoff: brightness * (0.4 + 0.6 * velocity), quality: 0.6)
        var wave = [Double](repeating: 0, count: length)
        let corner = 0.22 * Double(length)
        // The filter runs for two periods before the one kept, so that the wave meets itself end to end.
        for index in 0..<length * 3 {
            let place = Double(index % length)
            let pulled = place < corner ? place / corner : (Double(length) - place) / (Double(length) - corner)
            wave[index % length] = filter.low((pulled - 0.5) * 1.2 + random.bipolar())
        }
        let mean = wave.reduce(0, +) / Double(length)
        let power = wave.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(length)
        let scale = 0.4 / max(0.000_001, power.squareRoot())
        return wave.map { ($0 - mean) * scale }
    }
}

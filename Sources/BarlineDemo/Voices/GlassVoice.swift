import BarlineDSP

/// A glassy sustained FM voice whose brightness breathes.
struct GlassVoice: Sendable {
    /// Seconds to full level.
    var attack = 0.55
    /// Seconds to silence once let go of.
    var release = 1.0

    /// Paints a note; its two halves are a few cents apart, one to each side.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, random: inout SplitMix64) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        let ratio = Maths.octaves(4.0 / 1_200)
        var left = Oscillator(hertz: hertz / ratio, rate: rate, phase: random.bipolar())
        var right = Oscillator(hertz: hertz * ratio, rate: rate, phase: random.bipolar())
        var modulator = Oscillator(hertz: hertz * 2, rate: rate)
        var shimmer = Oscillator(hertz: hertz * 4, rate: rate, phase: random.bipolar())
        var breath = Oscillator(hertz: 0.5 + 0.2 * random.bipolar(), rate: rate, phase: random.bipolar())
        var level = Envelope(
            attack: attack, decay: 1, sustain: 0.9, hold: canvas.seconds(beats: note.beats), release: release,
            rate: rate)
        let gain = note.velocity / 2
        canvas.stampStereo(Placement(beat: note.beat), seconds: level.duration) {
            let swell = 0.5 + 0.5 * breath.sine()
            let push = modulator.sine() * (0.08 + 0.16 * swell)
            let sparkle = shimmer.sine() * 0.07 * swell
            let scale = level.next() * gain
            let low = left.sine(pushedBy: push)
            let high = right.sine(pushedBy: push)
            // Each side has some of the other, so that little is lost when the two are heard as one.
            return StereoSample(low + 0.4 * high + sparkle, high + 0.4 * low + sparkle) * scale
        }
    }
}

import BarlineDSP

/// Three detuned saws spread across the stereo field, for slow chords and for stabs.
struct PadVoice: Sendable {
    /// How far the outer saws are from the middle one, in cents.
    var detune = 9.0
    /// Seconds to full level.
    var attack = 0.6
    /// Seconds to the sustain level.
    var decay = 1.0
    /// The level a held note settles at.
    var sustain = 0.85
    /// Seconds to silence once let go of.
    var release = 1.2

    /// Paints a note. The saws start at phases of their own, or every chord would begin with the same whoosh.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, random: inout SplitMix64) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        let ratio = Maths.octaves(detune / 1_200)
        var middle = Oscillator(hertz: hertz, rate: rate, phase: random.bipolar())
        var flat = Oscillator(hertz: hertz / ratio, rate: rate, phase: random.bipolar())
        var sharp = Oscillator(hertz: hertz * ratio, rate: rate, phase: random.bipolar())
        var level = Envelope(
            attack: attack, decay: decay, sustain: sustain, hold: canvas.seconds(beats: note.beats), release: release,
            rate: rate)
        let gain = note.velocity / 3
        canvas.stampStereo(Placement(beat: note.beat), seconds: level.duration) {
            let centre = middle.saw()
            let left = flat.saw()
            let right = sharp.saw()
            let scale = level.next() * gain
            return StereoSample(centre + left + 0.35 * right, centre + right + 0.35 * left) * scale
        }
    }
}

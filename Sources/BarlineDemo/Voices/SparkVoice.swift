/// A short synthetic pluck: saw and pulse behind a filter that snaps shut.
struct SparkVoice: Sendable {
    /// Where the filter comes to rest, in hertz.
    var cutoff = 900.0
    /// How many octaves it opens for a full-strength note.
    var sweep = 2.8
    /// Seconds for it to close by a factor of e.
    var fall = 0.06

    /// Paints a note at a place between the speakers.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, pan: Double) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        let ratio = Maths.octaves(4.0 / 1_200)
        var saw = Oscillator(hertz: hertz / ratio, rate: rate, phase: 0.5)
        var pulse = Oscillator(hertz: hertz, rate: rate, phase: 0.25)
        var filter = StateVariableFilter(rate: rate, cutoff: cutoff, quality: 1.4)
        var opening = Decay(seconds: fall, rate: rate, level: sweep * (0.4 + 0.6 * note.velocity))
        var fade = Decay(seconds: 0.13, rate: rate)
        var level = Envelope(
            attack: 0.002, decay: 1, sustain: 1, hold: canvas.seconds(beats: note.beats), release: 0.12, rate: rate)
        var frame = 0
        let rest = cutoff
        let placement = Placement(beat: note.beat, gain: note.velocity, pan: pan)
        canvas.stamp(placement, seconds: level.duration) {
            let octaves = opening.next()
            if frame % Movement.controlInterval == 0 {
                filter.set(cutoff: rest * Maths.octaves(octaves), quality: 1.4)
            }
            frame += 1
            let wave = 0.5 * saw.saw() + 0.5 * pulse.pulse(width: 0.35)
            return filter.low(wave) * fade.next() * level.next()
        }
    }
}

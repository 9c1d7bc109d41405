/// A bell by FM: two inharmonic pairs, the brighter one gone first.
struct BellVoice: Sendable {
    /// Seconds for the bell to fall by a factor of e.
    var ring = 0.7

    /// Paints a note at a place between the speakers.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, pan: Double) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        var body = Oscillator(hertz: hertz, rate: rate)
        var bodyPush = Oscillator(hertz: hertz * 3.51, rate: rate)
        var chime = Oscillator(hertz: hertz * 2, rate: rate)
        var chimePush = Oscillator(hertz: hertz * 5.02, rate: rate)
        var index = Decay(seconds: 0.18, rate: rate, level: 0.2 * note.velocity)
        var fade = Decay(seconds: ring, rate: rate)
        var flash = Decay(seconds: ring * 0.3, rate: rate, level: 0.3)
        var level = Envelope(
            attack: 0.0015, decay: 1, sustain: 1, hold: ring * 4, release: ring, rate: rate)
        let placement = Placement(beat: note.beat, gain: note.velocity, pan: pan)
        canvas.stamp(placement, seconds: level.duration) {
            let push = index.next()
            let low = body.sine(pushedBy: bodyPush.sine() * push) * fade.next()
            let high = chime.sine(pushedBy: chimePush.sine() * push * 0.6) * flash.next()
            return (low + high) * level.next()
        }
    }
}

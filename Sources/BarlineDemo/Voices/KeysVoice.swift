/// An electric piano by FM: a warm pair for the body and a high, brief one for the tine.
struct KeysVoice: Sendable {
    /// How far the body's modulator pushes its carrier, in turns.
    var warmth = 0.2
    /// The level of the tine.
    var tine = 0.16
    /// Seconds for a held note to fall by a factor of e.
    var ring = 0.9
    /// Seconds to silence once let go of.
    var release = 0.12

    /// Paints a note at a place between the speakers.
    func paint(_ canvas: inout LoopCanvas, _ note: NoteEvent, pan: Double) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        var body = Oscillator(hertz: hertz, rate: rate)
        var modulator = Oscillator(hertz: hertz, rate: rate)
        var bell = Oscillator(hertz: hertz, rate: rate)
        var striker = Oscillator(hertz: hertz * 14, rate: rate)
        var push = Decay(seconds: 0.35, rate: rate, level: warmth * (0.3 + note.velocity))
        var ting = Decay(seconds: 0.07, rate: rate, level: tine * note.velocity)
        var fade = Decay(seconds: ring, rate: rate)
        var level = Envelope(
            attack: 0.002, decay: 1, sustain: 1, hold: canvas.seconds(beats: note.beats), release: release, rate: rate)
        let placement = Placement(beat: note.beat, gain: note.velocity, pan: pan)
        canvas.stamp(placement, seconds: level.duration) {
            let warm = body.sine(pushedBy: modulator.sine() * push.next())
            let struck = bell.sine(pushedBy: striker.sine() * 0.12) * ting.next()
            return (warm * fade.next() + struck) * level.next()
        }
    }
}

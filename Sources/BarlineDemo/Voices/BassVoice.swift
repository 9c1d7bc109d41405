/// A one-note-at-a-time bass: saw and pulse through the ladder, with a sine underneath for weight.
///
/// What it is heard by on small speakers are its harmonics, which `drive` brings up.
struct BassVoice: Sendable {
    /// The level of the sine on the fundamental.
    var sub = 0.5
    /// The level of the saw; the pulse has what is left.
    var saw = 0.6
    /// The part of a period that the pulse is high: the narrower, the more its harmonics outweigh the fundamental.
    var width = 0.25
    /// How hard the ladder's output is pushed into the soft clipper: 1 barely touches it.
    var drive = 2.0
    /// Where the ladder rests, in hertz.
    var cutoff = 180.0
    /// How many octaves the envelope opens it.
    var sweep = 2.6
    /// How fast the ladder closes again, in seconds.
    var fall = 0.11
    /// The ladder's resonance, from 0 to just under 4.
    var resonance = 1.6
    /// Seconds to full level.
    var attack = 0.003
    /// Seconds to silence once let go of.
    var release = 0.04
    /// The level a held note settles at.
    var sustain = 0.7

    /// Paints a note; `brightness` raises the cutoff by octaves, and a note slides in from `previous` if there is one.
    func paint(
        _ canvas: inout LoopCanvas, _ note: NoteEvent, brightness: Double = 0, previous: Int? = nil
    ) {
        let rate = canvas.rate
        let hertz = Maths.hertz(Double(note.pitch))
        let origin = Maths.hertz(Double(previous ?? note.pitch))
        var fundamental = Oscillator(hertz: hertz, rate: rate)
        var bright = Oscillator(hertz: hertz, rate: rate, phase: 0.5)
        var hollow = Oscillator(hertz: hertz, rate: rate, phase: 0.25)
        var ladder = LadderFilter(rate: rate, cutoff: cutoff, resonance: resonance)
        var opening = Decay(seconds: fall, rate: rate, level: sweep * (0.45 + 0.55 * note.velocity))
        var level = Envelope(
            attack: attack, decay: 0.16, sustain: sustain, hold: canvas.seconds(beats: note.beats), release: release,
            rate: rate)
        var slide = Decay(seconds: 0.045, rate: rate, level: origin / hertz - 1)
        var frame = 0
        let voice = self
        canvas.stamp(Placement(beat: note.beat, gain: 0.5 + 0.5 * note.velocity), seconds: level.duration) {
            let octaves = opening.next()
            let bend = slide.next()
            if frame % Movement.controlInterval == 0 {
                let tuned = hertz * (1 + bend)
                fundamental.tune(hertz: tuned, rate: rate)
                bright.tune(hertz: tuned, rate: rate)
                hollow.tune(hertz: tuned, rate: rate)
                ladder.set(cutoff: voice.cutoff * Maths.octaves(octaves + brightness), resonance: voice.resonance)
            }
            frame += 1
            let rich = voice.saw * bright.saw() + (1 - voice.saw) * hollow.pulse(width: voice.width)
            let driven = Maths.softClip(voice.drive * ladder.next(rich))
            return (driven + voice.sub * fundamental.sine()) * level.next()
        }
    }
}

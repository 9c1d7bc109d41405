/// The bass loops of the set: each follows the roots of its scene's chords, a bar to a chord.
enum BassLines {
    /// Groove: short syncopated notes with the octave and the fifth, stepping toward each next root.
    static func rubberRoot(_ canvas: inout LoopCanvas) {
        let voice = BassVoice(sub: 0.15, saw: 0.4, cutoff: 700, sweep: 2.3, fall: 0.1)
        for (bar, chord) in Harmony.verse.enumerated() {
            let start = Double(bar * 4)
            let root = chord.root
            let notes = [
                NoteEvent(start, root, for: 0.4, at: 0.95),
                NoteEvent(start + 0.75, root, for: 0.2, at: 0.6),
                NoteEvent(start + 1.5, root + 12, for: 0.3, at: 0.85),
                NoteEvent(start + 1.75, root, for: 0.5, at: 0.6),
                NoteEvent(start + 2.5, root + 7, for: 0.3, at: 0.75),
                NoteEvent(start + 2.75, root + 12, for: 0.18, at: 0.7),
                NoteEvent(start + 3.25, root, for: 0.2, at: 0.5),
                NoteEvent(start + 3.5, chord.approach, for: 0.42, at: 0.8),
            ]
            for note in notes { voice.paint(&canvas, note) }
        }
        Movement.pump(&canvas, depth: 0.45)
    }

    /// Lift: sixteenths rolling in octaves, the ladder opening to the middle of the loop and closing again.
    static func nightDrive(_ canvas: inout LoopCanvas) {
        let voice = BassVoice(
            sub: 0.15, saw: 0.5, cutoff: 380, sweep: 2.2, fall: 0.06, resonance: 2.1, release: 0.025)
        let shape: [(octave: Int, velocity: Double)] = [
            (0, 0.7), (0, 0.5), (0, 0.85), (12, 0.6), (0, 0.7), (0, 0.5), (12, 0.9), (0, 0.55),
            (0, 0.7), (0, 0.5), (0, 0.85), (12, 0.65), (0, 0.7), (7, 0.6), (12, 0.95), (0, 0.6),
        ]
        for (bar, chord) in Harmony.verse.enumerated() {
            for (step, cell) in shape.enumerated() {
                let beat = Double(bar * 4) + Double(step) / 4
                let brightness = 0.9 * (0.5 - 0.5 * Maths.cosine(turns: beat / 16))
                let note = NoteEvent(beat, chord.root + cell.octave, for: 0.16, at: cell.velocity)
                voice.paint(&canvas, note, brightness: brightness)
            }
        }
        Movement.pump(&canvas, depth: 0.55)
    }

    /// Break: long dark notes that slide into one another, in mono.
    static func deepBlue(_ canvas: inout LoopCanvas) {
        let voice = BassVoice(
            sub: 0.08, saw: 0.25, width: 0.15, drive: 4, cutoff: 700, sweep: 1.2, fall: 0.7, resonance: 1.4,
            attack: 0.02,
            release: 0.12, sustain: 0.85)
        let chords = Harmony.bridge
        for (bar, chord) in chords.enumerated() {
            let start = Double(bar * 4)
            let previous = chords[(bar + chords.count - 1) % chords.count].root
            voice.paint(&canvas, NoteEvent(start, chord.root, for: 2.3, at: 0.9), previous: previous)
            voice.paint(&canvas, NoteEvent(start + 2.5, chord.root + 12, for: 0.4, at: 0.6), previous: chord.root)
            voice.paint(&canvas, NoteEvent(start + 3, chord.root, for: 0.85, at: 0.7), previous: chord.root + 12)
        }
    }
}

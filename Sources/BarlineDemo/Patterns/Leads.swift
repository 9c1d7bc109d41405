import BarlineDSP

/// The lead loops of the set, all in A minor pentatonic so that any of them suits any chord of it.
enum Leads {
    /// Intro: bells over three bars, so that against four bars of chords they come round differently each time.
    static func bellDrift(_ canvas: inout LoopCanvas) {
        let voice = BellVoice()
        let notes = [
            NoteEvent(0, 76, for: 1, at: 0.8), NoteEvent(1.5, 81, for: 1, at: 0.6),
            NoteEvent(3, 79, for: 1, at: 0.7), NoteEvent(5, 74, for: 1, at: 0.65),
            NoteEvent(6.5, 76, for: 1, at: 0.75), NoteEvent(7.25, 84, for: 1, at: 0.4),
            NoteEvent(8, 72, for: 1, at: 0.7), NoteEvent(9.5, 69, for: 1, at: 0.75),
            NoteEvent(10.75, 74, for: 1, at: 0.5),
        ]
        for (index, note) in notes.enumerated() {
            voice.paint(&canvas, note, pan: index % 2 == 0 ? -0.3 : 0.35)
        }
        PingPongDelay(beats: 0.75, feedback: 0.48, mix: 0.34, tone: 4_000).apply(to: &canvas)
        Reverb(time: 2.6, size: 1.3, tone: 6_000, predelay: 0.02).apply(to: &canvas, mix: 0.24)
    }

    /// Groove: a two-bar riff on a plucked string.
    static func amberPluck(_ canvas: inout LoopCanvas) {
        let notes = [
            NoteEvent(0, 76, for: 0.6, at: 0.9), NoteEvent(0.75, 72, for: 0.5, at: 0.65),
            NoteEvent(1.5, 69, for: 0.8, at: 0.8), NoteEvent(2.5, 74, for: 0.5, at: 0.75),
            NoteEvent(3, 76, for: 0.4, at: 0.6), NoteEvent(3.5, 72, for: 0.6, at: 0.7),
            NoteEvent(4.25, 69, for: 0.5, at: 0.7), NoteEvent(4.75, 72, for: 0.5, at: 0.6),
            NoteEvent(5.5, 74, for: 0.8, at: 0.85), NoteEvent(6.5, 67, for: 0.5, at: 0.7),
            NoteEvent(7, 69, for: 0.7, at: 0.8), NoteEvent(7.75, 79, for: 0.3, at: 0.5),
        ]
        pluck(notes, with: PluckVoice(), name: "amber", on: &canvas)
        PingPongDelay(beats: 0.75, feedback: 0.38, mix: 0.26, tone: 3_200).apply(to: &canvas)
        Reverb(time: 1.1, tone: 5_500).apply(to: &canvas, mix: 0.1)
    }

    /// Lift: an arpeggio climbing each chord in groups of three against the beat.
    static func arcRunner(_ canvas: inout LoopCanvas) {
        let voice = SparkVoice()
        let climb = [0, 2, 3, 1, 3, 4, 2, 4, 5, 3, 4, 2, 5, 3, 4, 1]
        let accents = [1, 0.5, 0.6, 0.9, 0.5, 0.6, 0.9, 0.5, 0.6, 0.9, 0.5, 0.6, 0.95, 0.5, 0.85, 0.55]
        for (bar, chord) in Harmony.verse.enumerated() {
            for step in 0..<16 {
                let beat = Double(bar * 4) + Double(step) / 4
                let note = NoteEvent(beat, chord.ladder[climb[step]], for: 0.2, at: accents[step])
                voice.paint(&canvas, note, pan: 0.35 * Maths.sine(turns: Double(step) / 16))
            }
        }
        PingPongDelay(beats: 0.75, feedback: 0.42, mix: 0.28, tone: 4_200).apply(to: &canvas)
        Reverb(time: 1.6, tone: 6_500).apply(to: &canvas, mix: 0.14)
    }

    /// Break: a slow song on a softer string, left to ring.
    static func paperLanterns(_ canvas: inout LoopCanvas) {
        let notes = [
            NoteEvent(0, 72, for: 1.2, at: 0.8), NoteEvent(0.75, 76, for: 1.2, at: 0.6),
            NoteEvent(1.5, 79, for: 1.6, at: 0.75), NoteEvent(3, 76, for: 1, at: 0.6),
            NoteEvent(4, 74, for: 1.6, at: 0.8), NoteEvent(5.5, 79, for: 1.2, at: 0.6),
            NoteEvent(6.5, 81, for: 1.6, at: 0.75), NoteEvent(8, 79, for: 1, at: 0.75),
            NoteEvent(8.75, 76, for: 1, at: 0.6), NoteEvent(9.5, 72, for: 1.6, at: 0.7),
            NoteEvent(11, 69, for: 1.2, at: 0.7), NoteEvent(12, 74, for: 1.6, at: 0.8),
            NoteEvent(13.5, 76, for: 1.2, at: 0.65), NoteEvent(15, 67, for: 1.2, at: 0.6),
        ]
        pluck(notes, with: PluckVoice(ring: 3.5, brightness: 5_000, softness: 0.24), name: "paper", on: &canvas)
        PingPongDelay(beats: 1.5, feedback: 0.42, mix: 0.28, tone: 3_000).apply(to: &canvas)
        Reverb(time: 2.8, size: 1.4, tone: 5_000, predelay: 0.02).apply(to: &canvas, mix: 0.26)
    }

    private static func pluck(
        _ notes: [NoteEvent], with voice: PluckVoice, name: String, on canvas: inout LoopCanvas
    ) {
        var random = SplitMix64(name: name)
        for (index, note) in notes.enumerated() {
            voice.paint(&canvas, note, pan: 0.25 * Maths.sine(turns: Double(index) * 0.3), random: &random)
        }
    }
}

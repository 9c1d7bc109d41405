import BarlineDSP

/// The rhythmic chord loops.
enum ChordStabs {
    /// Groove: electric piano, answering itself every other bar.
    static func velvetKeys(_ canvas: inout LoopCanvas) {
        let voice = KeysVoice()
        let call = [ChordHit(0, 2.2, 0.8), ChordHit(3, 1, 0.5), ChordHit(6, 4, 0.75), ChordHit(11, 1, 0.45)]
        let answer = [ChordHit(0, 2.2, 0.8), ChordHit(3, 1, 0.55), ChordHit(7, 2, 0.7), ChordHit(10, 3.4, 0.6)]
        var random = SplitMix64(name: "velvet")
        for (bar, chord) in Harmony.verse.enumerated() {
            for hit in bar % 2 == 0 ? call : answer {
                for (index, pitch) in chord.voicing.enumerated() {
                    let velocity = hit.velocity * (1 + 0.08 * random.centred())
                    let beat = Double(bar * 4) + Double(hit.step) / 4
                    let note = NoteEvent(beat, pitch, for: hit.steps / 4, at: velocity)
                    voice.paint(&canvas, note, pan: -0.3 + 0.2 * Double(index))
                }
            }
        }
        Movement.autoPan(&canvas, cycles: 16, depth: 0.2)
        Chorus(cycles: 8, mix: 0.4).apply(to: &canvas)
        PingPongDelay(beats: 0.75, feedback: 0.3, mix: 0.14, tone: 2_600).apply(to: &canvas)
        Reverb(time: 1.3, tone: 5_000).apply(to: &canvas, mix: 0.14)
    }

    /// Lift: clipped saw chords pushing against the beat, the filter opening over the loop.
    static func brightStabs(_ canvas: inout LoopCanvas) {
        let voice = PadVoice(detune: 13, attack: 0.004, decay: 0.09, sustain: 0.35, release: 0.09)
        let rhythm = [
            ChordHit(0, 1, 0.9), ChordHit(3, 1, 0.7), ChordHit(6, 1.6, 0.9), ChordHit(10, 1, 0.75),
            ChordHit(13, 0.8, 0.6), ChordHit(14, 1.4, 0.8),
        ]
        var random = SplitMix64(name: "bright")
        for (bar, chord) in Harmony.verse.enumerated() {
            for hit in rhythm {
                let beat = Double(bar * 4) + Double(hit.step) / 4
                for pitch in chord.voicing + [chord.voicing[1] + 12] {
                    let note = NoteEvent(beat, pitch, for: hit.steps / 4, at: hit.velocity)
                    voice.paint(&canvas, note, random: &random)
                }
            }
        }
        Movement.sweepLowPass(&canvas, from: 1_600, to: 7_000, cycles: 1)
        Movement.pump(&canvas, depth: 0.3)
        Chorus(cycles: 6, mix: 0.35).apply(to: &canvas)
        PingPongDelay(beats: 0.75, feedback: 0.38, mix: 0.2, tone: 3_200).apply(to: &canvas)
        Reverb(time: 1.5, tone: 5_500).apply(to: &canvas, mix: 0.16)
    }
}

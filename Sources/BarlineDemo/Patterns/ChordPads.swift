import BarlineDSP

/// The sustained chord loops: one voicing to a bar, each fading under the next.
enum ChordPads {
    /// Intro: a warm pad of saws whose filter opens and closes once a loop.
    static func slowTide(_ canvas: inout LoopCanvas) {
        let voice = PadVoice()
        var random = SplitMix64(name: "tide")
        for (bar, chord) in Harmony.verse.enumerated() {
            let start = Double(bar * 4)
            for (index, pitch) in chord.voicing.enumerated() {
                let velocity = index == 0 ? 0.8 : 1 - 0.08 * Double(index)
                voice.paint(&canvas, NoteEvent(start, pitch, for: 3.6, at: velocity), random: &random)
            }
            // The intro has no bass of its own, so the pad carries the root an octave above it.
            voice.paint(&canvas, NoteEvent(start, chord.root + 12, for: 3.6, at: 0.75), random: &random)
        }
        Movement.sweepLowPass(&canvas, from: 520, to: 2_300, cycles: 1)
        Chorus(cycles: 6, mix: 0.55).apply(to: &canvas)
        Reverb(time: 2.4, size: 1.4, tone: 4_500, predelay: 0.025).apply(to: &canvas, mix: 0.32)
    }

    /// Break: glass, bright at the edges and hollow in the middle.
    static func glassHaze(_ canvas: inout LoopCanvas) {
        let voice = GlassVoice()
        var random = SplitMix64(name: "haze")
        for (bar, chord) in Harmony.bridge.enumerated() {
            let start = Double(bar * 4)
            for (index, pitch) in (chord.voicing + [chord.voicing[1] + 12]).enumerated() {
                let velocity = [0.9, 0.9, 0.85, 0.75, 0.5][index]
                voice.paint(&canvas, NoteEvent(start, pitch, for: 3.8, at: velocity), random: &random)
            }
        }
        Chorus(cycles: 5, delay: 0.014, depth: 0.003, mix: 0.6).apply(to: &canvas)
        Movement.autoPan(&canvas, cycles: 4, depth: 0.12)
        Reverb(time: 2.2, size: 1.5, tone: 6_500, predelay: 0.03).apply(to: &canvas, mix: 0.3)
    }
}

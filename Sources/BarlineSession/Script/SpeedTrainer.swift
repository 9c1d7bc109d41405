import BarlineTime

/// A tempo that moves by steps, a few bars at a time, until it is where it should be.
package struct SpeedTrainer: Hashable, Sendable {
    /// The tempo at beat 0, in BPM.
    package var start: Double
    /// The tempo at the end, in BPM.
    package var end: Double
    /// The size of a step in BPM, above 0; its direction follows from the two tempos.
    package var step: Double
    /// The bars that a tempo is kept, at least 1.
    package var bars: Int

    /// Creates a trainer; see the properties for what the parameters mean.
    package init(from start: Double, to end: Double, step: Double, every bars: Int) {
        self.start = start
        self.end = end
        self.step = step
        self.bars = bars
    }

    /// The changes of tempo, on the bar lines of a transport that starts at frame 0 with `countIn` bars.
    package func entries(
        timeSignature: TimeSignature, countIn: Int, sampleRate: SampleRate
    ) -> [ScriptEntry] {
        let bar = timeSignature.quartersPerBar
        var map = TempoMap(
            tempo: Tempo(clamping: start), sampleRate: sampleRate, startBeat: Beat(-Double(countIn) * bar))
        var entries: [ScriptEntry] = []
        var line = 0
        var tempo = start
        while tempo != end {
            line += bars
            tempo = start < end ? min(tempo + step, end) : max(tempo - step, end)
            let frame = map.frame(of: Beat(Double(line) * bar))
            map.change(at: frame, to: Tempo(clamping: tempo))
            entries.append(ScriptEntry(time: .frame(frame), action: .tempo(bpm: tempo, ramp: 0)))
        }
        return entries
    }
}

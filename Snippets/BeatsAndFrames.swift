// Beats and frames through a ramp: where bar lines fall while the tempo moves.

import BarlineTime

var tempo = TempoMap(tempo: Tempo(clamping: 120), sampleRate: .standard)
tempo.reset(startFrame: .zero, startBeat: .zero, tempo: Tempo(clamping: 120))
tempo.change(at: tempo.frame(of: Beat(4)), to: Tempo(clamping: 180), overBeats: 8)
for bar in 0..<5 {
    let beat = Beat(Double(4 * bar))
    let frame = tempo.frame(of: beat)
    print("bar \(bar + 1): frame \(frame.rawValue), \(tempo.tempo(at: frame).beatsPerMinute) BPM")
}

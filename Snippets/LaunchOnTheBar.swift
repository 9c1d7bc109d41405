// The README's example, compiled: a loop is launched on the next bar line and follows the tempo.

import BarlineEngine
import BarlineFiles
import BarlineTime

let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: 126)))
let loop = try await AudioClipLoader().load(CommandLine.arguments[1])
let clip = try engine.load(loop.samples, settings: ClipSettings(track: TrackIndex(0), beats: 16))

try engine.launch(clip)
try engine.setTempo(Tempo(clamping: 140), overBeats: 8)
print(engine.state.transport.tempo)

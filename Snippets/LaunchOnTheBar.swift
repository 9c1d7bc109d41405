// A loop on an engine of one's own: launched on the next bar line, it follows the tempo.

import BarlineEngine
import BarlineFiles
import BarlineTime

let engine = Engine(EngineConfiguration(tempo: 126))
let loop = try await AudioClipLoader().load(CommandLine.arguments[1])
let clip = try engine.launcher.load(loop.samples, settings: ClipSettings(track: 0, beats: 16))

try engine.launcher.launch(clip)
try engine.transport.setTempo(140, overBeats: 8)
engine.mixer[.track(0)].gain = -6
print(engine.transport.tempo)

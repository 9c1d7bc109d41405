// The example of the README, compiled, for a file of your own.

import Barline

let stage = try Stage()
let loop = try stage.load(CommandLine.arguments[1])
try stage.launcher.launch(loop)
try stage.transport.setTempo(140, overBeats: 8)
stage.mixer[.track(0)].gain = -6
try stage.mixer[.track(0)].setGain(.silence, over: .beats(8), curve: .exponential, at: Bar(17))
stage.metronome.isOn = true
for await event in stage.events { print(event.frame.rawValue, event.kind) }

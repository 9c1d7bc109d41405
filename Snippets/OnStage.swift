// The README's example, compiled.

import Barline

let stage = try Stage()
let loop = try stage.load(CommandLine.arguments[1])
try stage.launcher.launch(loop)
try stage.transport.setTempo(140, overBeats: 8)
stage.mixer[.track(0)].gain = -6
stage.metronome.isOn = true
for await event in stage.events { print(event.frame.rawValue, event.kind) }

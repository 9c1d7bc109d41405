// Two loops of a row, the second one toggled by every launch, which end at bars 17 and 25.

import Barline

let stage = try Stage()
let drums = try stage.load("drums_120bpm.wav", on: 0)
let bass = try stage.load("bass.wav", on: 1, beats: 16) { $0.launchMode = .toggle }
try stage.launcher.launchScene([drums, bass])
try stage.launcher.stop(1, at: Bar(17))
try stage.launcher.stop(0, at: Bar(25))

// What waits for its boundary is in the state.
if let waiting = stage.engine.state.tracks[0].queued { print("\(waiting.framesLeft) frames to go") }

// A program that ends is silent: this one waits until nothing plays any more.
try await stage.runToEnd()

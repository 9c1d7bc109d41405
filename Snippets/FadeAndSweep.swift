// A fade-out in decibels, a pan, and a filter that opens, each over beats or seconds.

import Barline

let stage = try Stage()
let pad = try stage.load(CommandLine.arguments[1])
try stage.launcher.launch(pad)

let strip = stage.mixer[.track(0)]
let filter = try stage.mixer.insert(EffectSettings(.filter), on: .channel(.track(0)))
try stage.mixer.set("cutoff", of: filter, to: 12_000, over: .beats(16))
try strip.setPan(-0.5, over: .seconds(2))
try strip.setGain(.silence, over: .beats(8), curve: .exponential, at: Bar(9))
try stage.launcher.stop(0, at: Bar(11))
print(strip.gain, strip.pan)

// A program that ends is silent: this one waits until nothing plays any more.
try await stage.runToEnd()

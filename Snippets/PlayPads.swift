// A one-shot, eight times in half a bar: each begins beside those that still sound.

import Barline

let stage = try Stage()
let clap = try stage.loadPad(CommandLine.arguments[1])
try stage.transport.start()
for hit in 0..<8 { try stage.sampler.trigger(clap, velocity: 0.5 + 0.05 * Double(hit), at: Beat(Double(hit) / 4)) }
try await stage.run(seconds: 3)

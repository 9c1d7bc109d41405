// A session and two actions into a file, faster than real time.

import BarlineSession
import BarlineTime

let path = CommandLine.arguments[1]
let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
var script = PerformanceScript()
script.entries = [
    ScriptEntry(time: .seconds(0), action: .launchScene(0)),
    ScriptEntry(time: .seconds(8), action: .tempo(bpm: 140, ramp: 8)),
]
let render = try OfflineRender(
    player, script: script, frames: 48_000 * 20, blockFrames: 1_024, output: OfflineRender.Output(path: "take.wav"))
let warnings = try render.run().warnings
print(warnings.joined(separator: "\n"))

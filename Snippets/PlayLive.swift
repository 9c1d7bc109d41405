// A session on the best output there is, for ten seconds.

import BarlineOutputs
import BarlineSession
import Foundation

let path = CommandLine.arguments[1]
let selection = OutputSelection()
let device = try selection.open()
let document = try SessionDocument(path: path)
let player = try await SessionPlayer(document, path: path) { configuration in
    configuration.sampleRate = device.format.sampleRate
    configuration.limiter = document.limiter
}
let supervisor = try OutputSupervisor(
    device, engine: player.engine, busNames: document.outputs, reopenWith: selection.open)

try player.perform(.launchScene(0))
try await Task.sleep(for: .seconds(10))
supervisor.stop()

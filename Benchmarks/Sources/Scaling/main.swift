// How the cost of a block grows with what an engine holds: the median time of blocks of 64 frames with 1 … 1,024 of
// each. With a path the curves are drawn there, as SVG.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let isQuick = ProcessInfo.processInfo.environment["BENCH_QUICK"] != nil
let counts = (0...10).map { 1 << $0 }
let curves: [Curve] = [
    Curve(name: "voices at rate 1.07", color: "#b45309") { try Stage(tracks: $0, clipsPerTrack: 1, rate: 1.07) },
    Curve(name: "voices at rate 0.93", color: "#1a7f37") { try Stage(tracks: $0, clipsPerTrack: 1, rate: 0.93) },
    Curve(name: "voices at rate 1", color: "#0969da") { try Stage(tracks: $0, clipsPerTrack: 1, rate: 1) },
    Curve(name: "stems", color: "#8250df", most: 128) { try Stage(stems: $0) },
    Curve(name: "tracks at rest", color: "#57606a") { try Stage(tracks: $0, clipsPerTrack: 0, rate: 1) },
    Curve(name: "clips loaded, one plays", color: "#cf222e") { try Stage(tracks: 1, clipsPerTrack: $0, rate: 1) },
]

print("µs of a block of 64 frames (1,333 µs of sound), by how many there are")
print("".padding(toLength: 26, withPad: " ", startingAt: 0) + counts.map { String(format: "%8d", $0) }.joined())
var drawn: [(curve: Curve, points: [(count: Int, time: Double)])] = []
for curve in curves {
    let points = try counts.filter { $0 <= curve.most }.map { count in
        (count: count, time: try curve.stage(count).median(blocks: isQuick ? 100 : 1_000))
    }
    drawn.append((curve, points))
    print(
        curve.name.padding(toLength: 26, withPad: " ", startingAt: 0)
            + points.map { String(format: "%8.1f", $0.time) }.joined())
}
if CommandLine.arguments.count > 1 {
    try Plot(drawn.map { ($0.curve.name, $0.curve.color, $0.points) }).svg
        .write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
}

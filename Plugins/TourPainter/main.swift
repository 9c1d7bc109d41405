// Renders the demo set's tour and draws it: a row for each track, its loops in their colours, a line on every bar.
//
//     swift run -c release TourPainter docs/tour.png

import BarlineAnalysis
import BarlineDSP
import BarlineDemo
import BarlineEngine
import BarlinePictures
import BarlineSession
import BarlineTime
import Foundation

let seconds = 64
let frames = 48_000 * seconds
let width = 1280
let rowHeight = 96
let gap = 12
let zoom: Float = 2

let folder = NSTemporaryDirectory() + "barline-tour-\(ProcessInfo.processInfo.processIdentifier)"
defer { try? FileManager.default.removeItem(atPath: folder) }
let path = try DemoSession.write(to: folder)
let player = try await SessionPlayer(DemoSession.document, path: path)
for (frame, entry) in DemoSession.tour.schedule(at: .standard) { try player.perform(entry.action, at: frame) }

// One block as long as the tour: the engine splits it where something happens.
let trackCount = player.document.tracks.count
let stripChannels = 2 * player.engine.configuration.channelCount
var channels = (0..<2 * trackCount + 2).map { _ in [Float](repeating: 0, count: frames) }
let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2 + stripChannels)
// The metronome and the stems are not drawn.
pointers.initialize(repeating: nil, count: 2 + stripChannels)
for index in channels.indices {
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    buffer.initialize(repeating: 0, count: frames)
    pointers[index] = buffer
}
var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2, frames: frames)
block.channelOutputs = UnsafePointer(pointers + 2)
player.engine.render(block)
for index in channels.indices {
    channels[index] = Array(UnsafeBufferPointer(start: pointers[index], count: frames))
    pointers[index]?.deallocate()
}
pointers.deallocate()

func column(_ frame: FrameTime) -> Int { Int(frame.rawValue * Int64(width) / Int64(frames)) }

var picture = Raster(
    width: width, height: trackCount * (rowHeight + gap) + gap, background: Color(red: 14, green: 17, blue: 22))
let events = player.takeEvents()
for event in events {
    guard case .metronome(.pulse(_, _, isAccented: true)) = event.kind else { continue }
    let x = column(event.frame)
    picture.fill(x: x..<x + 1, y: 0..<picture.height, Color(red: 38, green: 44, blue: 56))
}
for track in 0..<trackCount {
    let top = gap + track * (rowHeight + gap)
    let samples = SampleBuffer(
        left: channels[2 + 2 * track], right: channels[3 + 2 * track], sampleRate: .standard)
    let waveform = Waveform(of: samples, count: width)
    var shade = Color(red: 120, green: 130, blue: 145)
    var starts: [(x: Int, color: Color)] = []
    for event in events {
        guard case .launcher(.started(let clip, TrackIndex(track), _, _)) = event.kind else { continue }
        let document = player.document.tracks[track].clips.first { player.name(of: clip) == $0.name }
        shade = document?.color.flatMap { Color($0) } ?? shade
        starts.append((column(event.frame), shade))
    }
    for (index, start) in starts.enumerated() {
        let end = index + 1 < starts.count ? starts[index + 1].x : width
        let points = waveform.points[start.x..<end].map { point in
            Waveform.Point(rms: point.rms * zoom, min: point.min * zoom, max: point.max * zoom)
        }
        let faint = Color(
            red: start.color.components.x / 3, green: start.color.components.y / 3, blue: start.color.components.z / 3)
        picture.draw(
            Waveform(points: points), x: start.x..<end, y: top..<top + rowHeight, peaks: faint, rms: start.color)
        picture.fill(x: start.x..<start.x + 2, y: top..<top + rowHeight, Color(red: 235, green: 238, blue: 245))
    }
}
let output = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "tour.png"
try picture.write(to: output)
print(output)

// A timeline on an engine of one's own, without a stage: loops are synthesised, placed on frames, and rendered block by
// block, as an output of one's own would.
//
//     swift run LooperExample song.wav

import Barline
import Foundation

@main
struct Looper {
    /// A bar of notes of `frequency`, one a beat.
    static func bar(_ frequency: Double, decay: Double) -> SampleBuffer {
        let rate = 48_000.0
        let samples = (0..<96_000).map { frame in
            let time = (Double(frame) / rate).truncatingRemainder(dividingBy: 0.5)
            return Float(0.25 * exp(-time * decay) * sin(2 * .pi * frequency * time))
        }
        return SampleBuffer(left: samples, sampleRate: .standard)
    }

    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: LooperExample FILE")
            return
        }
        let engine = Engine(
            EngineConfiguration(trackCount: 3, tempo: 120, firstLaunch: .immediate))
        let layers = try [(55.0, 4.0), (220, 12), (880, 30)].enumerated().map { track, note in
            try engine.launcher.load(
                bar(note.0, decay: note.1), settings: ClipSettings(track: TrackIndex(track), beats: 4))
        }

        // Two bars a layer; all commands are sent in advance, for their frames.
        let barFrames: Int64 = 96_000
        for (index, layer) in layers.enumerated() {
            try engine.launcher.launch(layer, at: FrameTime(Int64(2 * index) * barFrames))
        }
        try engine.transport.setTempo(160, overBeats: 8, at: FrameTime(6 * barFrames))
        try engine.mixer[.main].setGain(.silence, at: FrameTime(10 * barFrames))

        let file = try AudioFileWriter(path: CommandLine.arguments[1], sampleRate: .standard)
        let buffer = RenderBuffer(busCount: 1, frameCapacity: 256)
        while engine.now < FrameTime(10 * barFrames + 4_800) {
            engine.render(into: buffer, frames: buffer.frameCapacity)
            try file.write(left: buffer.left, right: buffer.right, frames: buffer.frameCapacity)
        }
        try file.finish()
        print("\(engine.state.frame.rawValue) frames, \(engine.transport.tempo.beatsPerMinute) BPM at the end")
    }
}

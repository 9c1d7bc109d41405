import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

@Suite("Clips with warp markers")
struct WarpedClipTests {
    private static let length = 96_000
    private static let warp = [(17_500, 1.0), (50_000, 2), (69_000, 3), (80_100, 3.5)].map {
        WarpMarker(frame: $0.0, beat: $0.1)
    }

    /// The source position at a beat, from the definition.
    private static func position(at beat: Double, loops: Bool = true) -> Double {
        let within = loops ? beat - (beat / 4).rounded(.down) * 4 : beat
        let markers = [WarpMarker(frame: 0, beat: 0)] + warp + [WarpMarker(frame: length, beat: 4)]
        var piece = 0
        while piece + 2 < markers.count, markers[piece + 1].beat <= within { piece += 1 }
        let (low, high) = (markers[piece], markers[piece + 1])
        let slope = Double(high.frame - low.frame) / (high.beat - low.beat)
        return Double(low.frame) + (within - low.beat) * slope
    }

    /// The frame, not rounded, at which a source frame is heard in a cycle.
    private static func frame(of hit: Int, cycle: Int, _ map: borrowing TempoMap) -> Double {
        var (low, high) = (0.0, 4.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if position(at: middle) < Double(hit) { low = middle } else { high = middle }
        }
        return map.exactFrame(of: Beat(rawValue: Double(cycle) * 4 + low))
    }

    private static func engine(_ tempo: Double) -> Engine {
        Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: tempo), firstLaunch: .immediate))
    }

    private static func play(
        _ sound: [Float], tempo: Double, playback: Playback, loops: Bool = true, onsets: [Int] = [], frames: Int,
        blocks: BlockPlan = .fixed(512), change: (tempo: Double, ramp: Double, frame: Int64)? = nil
    ) throws -> Recorder {
        let engine = engine(tempo)
        let clip = try engine.launcher.load(
            SampleBuffer(left: sound, sampleRate: .standard),
            settings: ClipSettings(
                track: 0, beats: 4, loops: loops, playback: playback, onsets: onsets, warp: warp, fadeIn: 0))
        try engine.launcher.launch(clip)
        if let change {
            try engine.transport.setTempo(
                Tempo(clamping: change.tempo), overBeats: change.ramp, at: FrameTime(change.frame))
        }
        let recorder = Recorder(engine, frames: frames)
        recorder.render(frames, blocks)
        return recorder
    }

    private static func map(_ tempo: Double, _ change: (tempo: Double, ramp: Double, frame: Int64)?) -> TempoMap {
        var map = TempoMap(tempo: Tempo(clamping: tempo), sampleRate: .standard)
        if let change {
            map.change(at: FrameTime(change.frame), to: Tempo(clamping: change.tempo), overBeats: change.ramp)
        }
        return map
    }

    /// Slow enough for every rate here to leave it as it is: what is heard tells the position.
    private static let wave = (0..<length).map { Float(wave(at: Double($0))) }

    private static func wave(at position: Double) -> Double {
        let cycles = 96 * position / Double(length)
        return 0.5 * sin(2 * .pi * cycles)
    }

    @Test(
        "By varispeed each frame is the source's at its position, whatever the tempo has done",
        arguments: [
            (120.0, 0.0, 0.0), (91.7, 0, 0), (166, 0, 0), (120, 140, 0), (120, 90, 0), (120, 160, 6), (100, 70, 9),
        ])
    func positions(tempo: Double, target: Double, ramp: Double) throws {
        let change = target == 0 ? nil : (tempo: target, ramp: ramp, frame: Int64(40_001))
        let recorder = try Self.play(Self.wave, tempo: tempo, playback: .repitch, frames: 400_000, change: change)
        defer { withExtendedLifetime(recorder) {} }
        let map = Self.map(tempo, change)
        let output = recorder.left()
        var worst = 0.0
        for frame in 0..<400_000 {
            let position = Self.position(at: map.beat(at: FrameTime(Int64(frame))).rawValue)
            worst = max(worst, abs(Self.wave(at: position) - Double(output[frame])))
        }
        // A frame of the source is worth 3e-3.
        #expect(worst < 1e-4, "off by \(worst)")
    }

    @Test("A clip that plays once goes through its pieces and ends on its last beat")
    func once() throws {
        let recorder = try Self.play(Self.wave, tempo: 150, playback: .repitch, loops: false, frames: 120_000)
        defer { withExtendedLifetime(recorder) {} }
        let output = recorder.left()
        for frame in 0..<76_000 {
            let position = Self.position(at: Double(frame) / 19_200, loops: false)
            let difference = Self.wave(at: position) - Double(output[frame])
            if abs(difference) > 1e-4 {
                Issue.record("\(difference) at \(frame)")
                return
            }
        }
        #expect(output[76_800...].allSatisfy { $0 == 0 })
    }

    private static let hits = [0, 9_000, 17_500, 31_111, 50_000, 60_000, 69_000, 80_100, 90_000]

    private static func drums() -> [Float] {
        var sound = [Float](repeating: 0, count: length)
        for (index, hit) in hits.enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<5_000 {
                sound[hit + offset] = Float(random.double(-0.8...0.8) * exp(-Double(offset) / 500))
            }
        }
        return sound
    }

    private static func lag(_ output: UnsafeBufferPointer<Float>, _ frame: Int, _ sound: [Float], _ hit: Int) -> Int {
        var best = (lag: Int.max, value: -Double.infinity)
        for lag in -150...150 where frame + lag >= 0 && frame + lag + 600 < output.count {
            var (product, energy) = (0.0, 1e-12)
            for index in 0..<600 {
                product += Double(sound[hit + index] * output[frame + lag + index])
                energy += Double(output[frame + lag + index] * output[frame + lag + index])
            }
            if product / energy.squareRoot() > best.value { best = (lag, product / energy.squareRoot()) }
        }
        return best.lag
    }

    @Test(
        "With its pitch kept every attack is on the frame that the markers give it, after steps of the tempo and along ramps",
        arguments: [(120.0, 0.0, 0.0), (97.3, 0, 0), (180, 0, 0), (120, 150, 0), (120, 84, 7)])
    func attacks(tempo: Double, target: Double, ramp: Double) throws {
        let change = target == 0 ? nil : (tempo: target, ramp: ramp, frame: Int64(57_001))
        let sound = Self.drums()
        let recorder = try Self.play(
            sound, tempo: tempo, playback: .stretch, onsets: Self.hits, frames: 400_000, change: change)
        defer { withExtendedLifetime(recorder) {} }
        let map = Self.map(tempo, change)
        let output = recorder.left()
        var heard = 0
        for cycle in 0..<8 {
            for hit in Self.hits {
                let frame = Int(Self.frame(of: hit, cycle: cycle, map).rounded())
                let isUnsettled = change != nil && ramp == 0 && abs(frame - 57_001) < 2_400
                if isUnsettled || frame + 1_000 > output.count { continue }
                heard += 1
                let lag = Self.lag(output, frame, sound, hit)
                #expect(abs(lag) <= 1, "turn \(cycle), hit \(hit) at \(frame): \(lag)")
            }
        }
        #expect(heard > 20)
    }

    @Test("Turns of a loop are the same, to the bit", arguments: [Playback.repitch, .stretch])
    func cycles(playback: Playback) throws {
        // Four beats of 22,500 frames.
        let recorder = try Self.play(
            Self.drums(), tempo: 128, playback: playback, onsets: Self.hits, frames: 90_000 * 12)
        defer { withExtendedLifetime(recorder) {} }
        let output = recorder.left()
        let second = Array(output[90_000..<180_000])
        for cycle in 2..<12 { #expect(output[cycle * 90_000..<(cycle + 1) * 90_000].elementsEqual(second)) }
    }

    @Test("Random performances are bit-identical in all block sizes, and start, wrap and stop when their beats say")
    func blocks() throws {
        for seed in UInt64(21)...26 {
            var script = RandomScript.make(seed: seed, rate: 48_000, seconds: 6)
            var random = TestRandom(seed: seed)
            for index in script.setup.clips.indices {
                script.setup.clips[index].isStretched = random.chance(0.4)
                script.setup.clips[index].warp(&random)
            }
            let reference = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
            reference.render(script.length, .fixed(64))
            for plan in [BlockPlan.fixed(1), .fixed(4096), .mixed(seed: 3)] {
                let recorder = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
                defer { withExtendedLifetime(recorder) {} }
                recorder.render(script.length, plan)
                if !recorder.isIdentical(to: reference) {
                    Issue.record("\(plan) differ from blocks of 64\n\(script)")
                    return
                }
            }
            if let difference = Script.difference(reference.events, script.model()) {
                Issue.record("\(difference)\n\(script)")
                return
            }
        }
    }

    @Test("Markers on the way of equally long beats change nothing")
    func straight() throws {
        func output(_ warp: [WarpMarker]) throws -> [Float] {
            let engine = Self.engine(131)
            let clip = try engine.launcher.load(
                SampleBuffer(left: Self.drums(), sampleRate: .standard),
                settings: ClipSettings(track: 0, beats: 4, warp: warp))
            try engine.launcher.launch(clip)
            let recorder = Recorder(engine, frames: 200_000)
            recorder.render(200_000)
            return withExtendedLifetime(recorder) { Array(recorder.left()) }
        }
        #expect(
            try output([WarpMarker(frame: 24_000, beat: 1), WarpMarker(frame: 60_000, beat: 2.5)]) == output([]))
    }

    @Test(
        "Markers that don't rise from the region's first frame and beat to its last are refused",
        arguments: [
            [(0, 0.5)], [(100, 0)], [(100, 1), (100, 2)], [(100, 2), (200, 2)], [(96_000, 1)], [(50_000, 4)],
        ])
    func refusals(markers: [(Int, Double)]) {
        let warp = markers.map { WarpMarker(frame: $0.0, beat: $0.1) }
        #expect(throws: EngineError.invalidValue(name: "warp", value: markers[markers.count - 1].1)) {
            try Self.engine(120).launcher.load(
                SampleBuffer(left: Self.wave, sampleRate: .standard),
                settings: ClipSettings(track: 0, beats: 4, warp: warp))
        }
    }
}

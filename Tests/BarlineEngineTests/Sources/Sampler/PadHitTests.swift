import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Hits that wait for the grid, what a pad's settings make of a hit, and what is reported of it.
@Suite("Hits of pads")
struct PadHitTests {
    private static let beat = 24_000

    private func engine(rate: Double = 48_000) -> Engine {
        Engine(EngineConfiguration(sampleRate: SampleRate(unchecked: rate), trackCount: 1))
    }

    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in Float(random.double(-0.5...0.5)) }
    }

    private func hits(_ recorder: Recorder) -> [Int] {
        recorder.events.compactMap { if case .sampler(.hit) = $0.kind { Int($0.frame.rawValue) } else { nil } }
    }

    private let quarter = Quantization.note(numerator: 1, denominator: 1)

    @Test("While the transport rolls a hit waits for its grid, or for the pad's, and comes a little late at once")
    func grid() throws {
        let engine = engine()
        let buffer = SampleBuffer(left: noise(400, seed: 1), sampleRate: .standard)
        let free = try engine.sampler.load(buffer)
        let tied = try engine.sampler.load(buffer, settings: PadSettings(quantization: .bar))
        try engine.sampler.trigger(free, quantization: quarter, at: FrameTime(100))
        try engine.transport.start(at: FrameTime(1_000))
        // Frames since the start, and where the definition has them.
        let plan: [(pad: PadHandle, grid: Quantization?, asked: Int, heard: Int)] = [
            (free, nil, 5_003, 5_003), (free, quarter, 5_004, 24_000), (free, quarter, 48_000, 48_000),
            (free, quarter, 48_400, 48_400), (free, quarter, 48_500, 72_000), (tied, nil, 73_000, 96_000),
            (tied, Quantization.none, 74_000, 74_000), (tied, quarter, 75_000, 96_000),
        ]
        for hit in plan {
            try engine.sampler.trigger(hit.pad, quantization: hit.grid, at: FrameTime(Int64(1_000 + hit.asked)))
        }
        let recorder = Recorder(engine, frames: 120_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(120_000, .mixed(seed: 5))
        #expect(hits(recorder).sorted() == ([100] + plan.map { 1_000 + $0.heard }).sorted())
    }

    @Test(
        "A hit that waits follows the tempo and the metre, and is forgotten with its pad, its choke and the transport")
    func moved() throws {
        let engine = engine()
        let buffer = SampleBuffer(left: noise(400, seed: 1), sampleRate: .standard)
        let pads = try (0..<3).map { _ in try engine.sampler.load(buffer) }
        try engine.transport.start(at: FrameTime.zero)
        try engine.sampler.trigger(pads[0], quantization: quarter, at: FrameTime(30_000))
        // Half a beat is left, which takes twice as long.
        try engine.transport.setTempo(Tempo(clamping: 60), at: FrameTime(36_000))
        try engine.sampler.trigger(pads[1], quantization: quarter, at: FrameTime(70_000))
        try engine.sampler.stop(pads[1], at: FrameTime(71_000))
        let recorder = Recorder(engine, frames: 300_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(90_000)
        #expect(engine.state.pads.allSatisfy { $0.waiting == 0 })
        try engine.sampler.trigger(pads[2], quantization: quarter)
        recorder.render(512)
        #expect(engine.state.pads[pads[2].rawValue].waiting == 1)
        try engine.sampler.unload(pads[2])
        recorder.render(512)
        #expect(engine.state.pads.allSatisfy { $0.waiting == 0 })
        try engine.sampler.trigger(pads[0], quantization: quarter)
        recorder.render(512)
        try engine.transport.stop()
        recorder.render(100_000)
        #expect(hits(recorder) == [60_000])
    }

    @Test("Beyond the hits that can wait they sound at once, and none is lost")
    func manyHits() throws {
        let engine = engine()
        let pad = try engine.sampler.load(SampleBuffer(left: noise(50, seed: 1), sampleRate: .standard))
        try engine.transport.start(at: FrameTime.zero)
        for index in 0..<80 {
            try engine.sampler.trigger(pad, quantization: quarter, at: FrameTime(Int64(5_000 + index)))
        }
        let recorder = Recorder(engine, frames: 30_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(30_000)
        let heard = hits(recorder)
        #expect(heard.filter { $0 == PadHitTests.beat }.count == 64)
        #expect(heard.filter { $0 < PadHitTests.beat } == Array(5_064..<5_080))
        #expect(engine.state.pads[pad.rawValue].hits == 80)
    }

    @Test("Balance and sensitivity are as their definitions have them")
    func settings() throws {
        let engine = engine()
        let sound = noise(2_000, seed: 3)
        for (pan, sensitivity, velocity) in [(0.5, 1.0, 0.5), (-0.75, 0.5, 0.25), (0, 0, 0.1), (1, 0.25, 0)] {
            let pad = try engine.sampler.load(
                SampleBuffer(left: sound, sampleRate: .standard),
                settings: PadSettings(gain: Decibels(-6), pan: pan, sensitivity: sensitivity))
            let recorder = Recorder(engine, frames: 3_000)
            defer { withExtendedLifetime(recorder) {} }
            try engine.sampler.trigger(pad, velocity: velocity)
            recorder.render(3_000)
            let level = pow(10, -6.0 / 20) * pow(1 - sensitivity * (1 - velocity), 2)
            let (left, right) = (level * min(1, 1 - pan), level * min(1, 1 + pan))
            let heard = (recorder.left(), recorder.right())
            // The last 5 ms are faded.
            #expect(
                (0..<1_760).allSatisfy { frame in
                    abs(Double(heard.0[frame]) - Double(sound[frame]) * left) < 1e-6
                        && abs(Double(heard.1[frame]) - Double(sound[frame]) * right) < 1e-6
                })
        }
    }

    @Test("What is shown of a pad is its hits, what sounds of it, how hard it was hit and how far it is")
    func shown() throws {
        let engine = engine()
        let pad = try engine.sampler.load(SampleBuffer(left: noise(4_000, seed: 3), sampleRate: .standard))
        let recorder = Recorder(engine, frames: 8_000)
        defer { withExtendedLifetime(recorder) {} }
        try engine.sampler.trigger(pad, velocity: 0.25)
        recorder.render(1_000)
        try engine.sampler.trigger(pad, velocity: 0.5)
        recorder.render(1_000)
        let state = engine.state.pads[pad.rawValue]
        #expect(state.hits == 2 && state.voices == 2 && state.velocity == 0.5 && abs(state.progress - 0.25) < 1e-4)
        #expect(engine.state.voicesInUse == 2 && !engine.isAtRest)
        recorder.render(6_000)
        let after = engine.state.pads[pad.rawValue]
        #expect(after.hits == 2 && after.voices == 0 && after.progress == 0 && engine.state.voicesInUse == 0)
    }

    @Test("The device's block size never shows in hits on the grid, through changes of tempo, metre and rate")
    func blockSizes() throws {
        func stormed() throws -> Engine {
            let engine = engine(rate: 44_100)
            let grids = [Quantization.none, .bar, quarter, .note(numerator: 1, denominator: 4)]
            let pads = try (0..<6).map { index in
                try engine.sampler.load(
                    SampleBuffer(left: noise(2_000 * (index + 1), seed: UInt64(index)), sampleRate: .standard),
                    settings: PadSettings(pan: Double(index) / 6, choke: index / 3, quantization: grids[index % 4]))
            }
            var random = TestRandom(seed: 9)
            try engine.transport.start(at: FrameTime(500))
            for _ in 0..<200 {
                let frame = FrameTime(Int64(random.int(0...90_000)))
                let grid: Quantization? = random.chance(0.5) ? random.pick(grids) : nil
                try engine.sampler.trigger(
                    random.pick(pads), velocity: random.double(0...1), quantization: grid, at: frame)
                if random.chance(0.1) {
                    try engine.transport.setTempo(
                        Tempo(clamping: random.double(60...200)), overBeats: random.double(0...2), at: frame)
                }
            }
            return engine
        }
        func played(_ plan: BlockPlan) throws -> (sound: [UInt32], hits: [Int]) {
            let recorder = Recorder(try stormed(), frames: 120_000)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(120_000, plan)
            return (recorder.left().map(\.bitPattern), hits(recorder))
        }
        let reference = try played(.fixed(64))
        #expect(reference.hits.count > 150, "those that wait for a later bar are left out")
        for plan in [BlockPlan.fixed(1), .fixed(256), .fixed(4_096), .mixed(seed: 3)] {
            let heard = try played(plan)
            #expect((heard.sound == reference.sound) as Bool, "\(plan)")
            #expect(heard.hits == reference.hits, "\(plan)")
        }
    }

    @Test("At a change of the sample rate what sounds goes on at its pitch, and what waits keeps its beat")
    func sampleRate() throws {
        let engine = engine(rate: 44_100)
        let tone = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 500 * Double($0) / 48_000)) }
        let long = try engine.sampler.load(SampleBuffer(left: tone, sampleRate: .standard))
        let short = try engine.sampler.load(SampleBuffer(left: [0], sampleRate: .standard))
        try engine.transport.start(at: FrameTime.zero)
        try engine.sampler.trigger(long, at: FrameTime.zero)
        try engine.sampler.trigger(short, quantization: quarter, at: FrameTime(5_000))
        let recorder = Recorder(engine, frames: 100_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(11_025)
        engine.setSampleRate(SampleRate(unchecked: 96_000))
        recorder.render(88_000, .mixed(seed: 2))
        // A quarter of a second has gone, and three are left.
        let heard = recorder.left()
        let isRight = (11_025..<11_025 + 71_000).allSatisfy { frame in
            let time = 0.25 + Double(frame - 11_025) / 96_000
            return abs(Double(heard[frame]) - 0.5 * sin(2 * .pi * 500 * time)) < 1e-3
        }
        #expect(isRight)
        #expect(heard[(11_025 + 72_000)...].allSatisfy { $0 == 0 })
        #expect(hits(recorder) == [0, 11_025 + 24_000])
    }

    @Test("What can't be is refused")
    func refusals() throws {
        let engine = engine()
        let buffer = SampleBuffer(left: [0.5], sampleRate: .standard)
        for (name, settings) in [
            ("pan", PadSettings(pan: 1.5)), ("sensitivity", PadSettings(sensitivity: -0.5)),
            ("quantisation", PadSettings(quantization: .bars(0))),
        ] {
            let error = #expect(throws: EngineError.self) { try engine.sampler.load(buffer, settings: settings) }
            #expect("\(try #require(error))".contains(name))
        }
        let pad = try engine.sampler.load(buffer)
        #expect(throws: EngineError.self) { try engine.sampler.trigger(pad, quantization: .bars(-1)) }
    }
}

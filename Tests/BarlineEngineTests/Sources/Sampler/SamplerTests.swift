import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Pads: one-shots on the frame that they are triggered for, against the sum that the definition gives.
@Suite("Sampler")
struct SamplerTests {
    private static let fade = 240

    /// What a pad of `samples` adds at a frame since its trigger: its sample, with the last 5 ms faded, and, from a
    /// frame on, a fade-out of 5 ms.
    private func expected(_ samples: [Float], at frame: Int, velocity: Double, leaving: Int? = nil) -> Double {
        guard samples.indices.contains(frame) else { return 0 }
        let length = min(SamplerTests.fade, samples.count)
        var envelope = min(1, Double(samples.count - frame) / Double(length))
        if let leaving, frame >= leaving {
            envelope = max(0, 1 - Double(frame - leaving) / Double(SamplerTests.fade))
        }
        return Double(samples[frame]) * velocity * velocity * envelope
    }

    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in Float(random.double(-0.5...0.5)) }
    }

    private func engine(rate: Double = 48_000) -> Engine {
        Engine(EngineConfiguration(sampleRate: SampleRate(unchecked: rate), trackCount: 1))
    }

    private func played(_ engine: Engine, _ frames: Int, _ plan: BlockPlan = .fixed(512)) -> [Float] {
        let recorder = Recorder(engine, frames: frames)
        recorder.render(frames, plan)
        return withExtendedLifetime(recorder) { Array(recorder.left()) }
    }

    @Test("Pads begin on their frames, at the square of their velocity, and overlap")
    func triggers() throws {
        let engine = engine()
        let sounds = [noise(3_000, seed: 1), noise(700, seed: 2), noise(50, seed: 3)]
        let pads = try sounds.map { try engine.sampler.load(SampleBuffer(left: $0, sampleRate: .standard)) }
        var random = TestRandom(seed: 4)
        var wanted = [Double](repeating: 0, count: 30_000)
        for _ in 0..<60 {
            let (pad, start, velocity) = (random.int(0...2), random.int(0...29_000), random.double(0...1))
            try engine.sampler.trigger(pads[pad], velocity: velocity, at: FrameTime(Int64(start)))
            for frame in sounds[pad].indices where start + frame < wanted.count {
                wanted[start + frame] += expected(sounds[pad], at: frame, velocity: velocity)
            }
        }
        let heard = played(engine, 30_000, .mixed(seed: 1))
        #expect(zip(heard, wanted).allSatisfy { abs(Double($0) - $1) < 1e-5 })
    }

    @Test("A pad fades out those of its choke group, and itself, and no others")
    func choke() throws {
        let engine = engine()
        let sounds = (5..<8).map { noise(9_000, seed: $0) }
        let pads = try zip(sounds, [1, 1, 2]).map {
            try engine.sampler.load(SampleBuffer(left: $0, sampleRate: .standard), settings: PadSettings(choke: $1))
        }
        try engine.sampler.trigger(pads[0], at: FrameTime.zero)
        try engine.sampler.trigger(pads[2], at: FrameTime.zero)
        try engine.sampler.trigger(pads[1], at: FrameTime(4_001))
        try engine.sampler.stop(pads[2], at: FrameTime(6_000))
        let heard = played(engine, 14_000)
        let isRight = heard.indices.allSatisfy { frame in
            let wanted =
                expected(sounds[0], at: frame, velocity: 1, leaving: 4_001)
                + expected(sounds[1], at: frame - 4_001, velocity: 1)
                + expected(sounds[2], at: frame, velocity: 1, leaving: 6_000)
            return abs(Double(heard[frame]) - wanted) < 1e-5
        }
        #expect(isRight)
    }

    @Test("Where all voices sound, the oldest fades out for a new one")
    func stealing() throws {
        let engine = engine()
        let pad = try engine.sampler.load(
            SampleBuffer(left: [Float](repeating: 0.01, count: 48_000), sampleRate: .standard))
        for index in 0..<80 { try engine.sampler.trigger(pad, at: FrameTime(Int64(100 * index))) }
        let heard = played(engine, 20_000)
        // 64 of 0.01 sound when all fades are over.
        #expect(abs(heard[6_350] - 0.64) < 1e-4 && abs(heard[9_000] - 0.64) < 1e-4)
        #expect(zip(heard, heard.dropFirst()).dropFirst().allSatisfy { abs($1 - $0) < 0.0101 }, "nothing is cut off")
        #expect((heard.max() ?? 1) < 0.68)
    }

    @Test("The device's block size never shows, in storms of pads, and at a change of the sample rate")
    func blockSizes() throws {
        func stormed() throws -> Engine {
            let engine = engine(rate: 44_100)
            let pads = try (0..<6).map { index in
                try engine.sampler.load(
                    SampleBuffer(left: noise(2_000 * (index + 1), seed: UInt64(index)), sampleRate: .standard),
                    settings: PadSettings(pitch: Double(index) - 2.5, choke: index / 3))
            }
            var random = TestRandom(seed: 8)
            for _ in 0..<500 {
                let frame = FrameTime(Int64(random.int(0...40_000)))
                try engine.sampler.trigger(random.pick(pads), velocity: random.double(0...1), at: frame)
                if random.chance(0.05) { try engine.sampler.stopAll(at: frame) }
            }
            return engine
        }
        let reference = played(try stormed(), 50_000, .fixed(64))
        for plan in [BlockPlan.fixed(1), .fixed(256), .fixed(4_096), .mixed(seed: 3)] {
            let heard = played(try stormed(), 50_000, plan)
            #expect((heard.map(\.bitPattern) == reference.map(\.bitPattern)) as Bool, "\(plan)")
        }
        #expect((reference.map { abs($0) }.max() ?? 0) > 0.1)
    }

    @Test("A semitone is a twelfth of an octave, by speed")
    func pitch() throws {
        let engine = engine()
        let tone = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 500 * Double($0) / 48_000)) }
        let pad = try engine.sampler.load(
            SampleBuffer(left: tone, sampleRate: .standard), settings: PadSettings(pitch: 12))
        try engine.sampler.trigger(pad, at: FrameTime.zero)
        let heard = played(engine, 24_000)[1_000..<20_000]
        let crossings = zip(heard, heard.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(Double(crossings) - 19_000 * 1_000 / 48_000) <= 1)
    }

    @Test("A pad that is replaced or unloaded while it sounds is handed back when it has faded out")
    func memory() throws {
        let engine = engine()
        let buffer = SampleBuffer(left: noise(2_000, seed: 1), sampleRate: .standard)
        let pad = try engine.sampler.load(buffer)
        let recorder = Recorder(engine, frames: 8_000)
        try engine.sampler.trigger(pad)
        recorder.render(100)
        try engine.sampler.replace(pad, with: buffer, settings: PadSettings(gain: Decibels(-6)))
        recorder.render(500)
        try engine.sampler.unload(pad)
        #expect(engine.control.withLock { $0.replaced.count } == 2)
        recorder.render(3_000)
        try engine.sampler.stopAll()
        #expect(engine.control.withLock { $0.replaced.isEmpty })
        #expect(throws: EngineError.sampler(.unknownPad(pad))) { try engine.sampler.trigger(pad) }
    }

    @Test("States of engines are equal where those of their pads are")
    func states() throws {
        let buffer = SampleBuffer(left: noise(2_000, seed: 1), sampleRate: .standard)
        let states = try [0.5, 0.5, 0.25].map { velocity in
            let engine = engine()
            // They sound alike, however hard they are hit.
            let pad = try engine.sampler.load(buffer, settings: PadSettings(sensitivity: 0))
            try engine.sampler.trigger(pad, velocity: velocity, at: FrameTime.zero)
            _ = played(engine, 256)
            #expect(engine.state.pads[pad.rawValue].velocity == Float(velocity))
            return engine.state
        }
        #expect(states[0] == states[1] && states[0].hashValue == states[1].hashValue)
        #expect(states[0] != states[2] && states[0].padStrip == states[2].padStrip)
    }

    @Test("What can't be is refused")
    func refusals() throws {
        var configuration = EngineConfiguration(trackCount: 1)
        configuration.padCapacity = 1
        let engine = Engine(configuration)
        let buffer = SampleBuffer(left: [0.5], sampleRate: .standard)
        #expect(throws: EngineError.invalidValue(name: "pitch", value: 25)) {
            try engine.sampler.load(buffer, settings: PadSettings(pitch: 25))
        }
        let pad = try engine.sampler.load(buffer)
        #expect(throws: EngineError.sampler(.padTableFull(capacity: 1))) { try engine.sampler.load(buffer) }
        let full = EngineError.sampler(.padTableFull(capacity: 1))
        #expect(full != .sampler(.unknownPad(pad)) && full != .sampler(.padTableFull(capacity: 2)))
        #expect("\(full)" == "1 pads are loaded, which is all there is room for")
        #expect(throws: EngineError.invalidValue(name: "velocity", value: 1.5)) {
            try engine.sampler.trigger(pad, velocity: 1.5)
        }
    }
}

import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Inputs that are of what is played.
@Suite("Recording what is played")
struct ResampleTests {
    private static let bar = TakeStage.bar
    private static let plans: [BlockPlan] = [.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 7)]

    /// An engine that plays a loop of three quarters of a bar on track 0 at −6 dB, and records `source` in bar 2 into a
    /// slot of track 1.
    private static func recorded(
        _ source: InputSource, _ plan: BlockPlan, latency: Int = 700, limiter: LimiterSettings? = nil
    ) throws -> (take: [[Float]], recorder: Recorder, engine: Engine) {
        let engine = Engine(EngineConfiguration(trackCount: 2, tempo: Tempo(clamping: 240), limiter: limiter))
        let noise = TakeStage.noise(36_000, seed: 4)
        let buffer = SampleBuffer(left: noise, right: noise.map { $0 / 2 }, sampleRate: .standard)
        let loop = try engine.launcher.load(buffer, settings: ClipSettings(track: 0, beats: 3))
        try engine.mixer[.track(0)].setGain(Decibels(-6))
        let input = InputIndex(1)
        try engine.inputs.open(input, channels: 2, of: source)
        // It has none, whatever is said.
        try engine.inputs.setLatency(latency, of: input)
        let clip = try engine.launcher.arm(TakeSettings(track: 1, input: input, bars: 1))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(loop, at: FrameTime(10))
        try engine.launcher.launch(clip, at: FrameTime(Int64(2 * bar) - 5_000))
        let recorder = Recorder(engine, frames: 6 * bar)
        recorder.render(6 * bar, plan)
        let take = try #require(engine.launcher.take(of: clip))
        let result = try #require(take.result)
        #expect(result.start.latency == 0 && result.start.frame == FrameTime(Int64(2 * bar)))
        let samples = take.withSamples(from: result.region.lowerBound) { left, right in
            [Array(left.prefix(result.region.count)), Array(right.prefix(result.region.count))]
        }
        return (samples, recorder, engine)
    }

    @Test("A track's take is what it gave, frame by frame, and plays on from its end", arguments: plans)
    func track(plan: BlockPlan) throws {
        let (take, recorder, engine) = try Self.recorded(.track(0), plan)
        let (left, right) = (recorder.left(), recorder.right())
        #expect(take[0].count == Self.bar)
        #expect((0..<Self.bar).allSatisfy { take[0][$0] == left[2 * Self.bar + $0] })
        #expect((0..<Self.bar).allSatisfy { take[1][$0] == right[2 * Self.bar + $0] })
        #expect(take[0].contains { $0 != 0 })
        // Both play: the loop comes round every three bars of four.
        let gain = Float(pow(10, -6.0 / 20))
        let noise = TakeStage.noise(36_000, seed: 4)
        let fault = (3 * Self.bar + 300..<4 * Self.bar - 300).first { frame in
            abs(left[frame] - (gain * noise[frame % 36_000] + take[0][frame - 3 * Self.bar])) > 1e-5
        }
        #expect(fault == nil)
        withExtendedLifetime((recorder, engine)) {}
    }

    @Test("The main output's take is what went out, before the limiter and without its latency", arguments: plans)
    func master(plan: BlockPlan) throws {
        let (take, recorder, engine) = try Self.recorded(.bus(0), plan)
        let left = recorder.left()
        #expect((0..<Self.bar).allSatisfy { take[0][$0] == left[2 * Self.bar + $0] })
        let (limited, late, other) = try Self.recorded(.bus(0), plan, limiter: LimiterSettings())
        #expect(limited == take)
        withExtendedLifetime((recorder, engine, late, other)) {}
    }

    @Test("The last bars of what was played are kept")
    func kept() throws {
        let engine = Engine(EngineConfiguration(trackCount: 2, tempo: Tempo(clamping: 240)))
        let buffer = SampleBuffer(left: TakeStage.noise(36_000, seed: 9), sampleRate: .standard)
        let loop = try engine.launcher.load(buffer, settings: ClipSettings(track: 0, beats: 3))
        try engine.inputs.open(InputIndex(0), channels: 2, of: .bus(0))
        let clip = try engine.launcher.arm(TakeSettings(track: 1, input: InputIndex(0)))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(loop, at: FrameTime(10))
        try engine.launcher.keepLast(bars: 2, as: clip, at: FrameTime(Int64(4 * Self.bar) + 10_000))
        let recorder = Recorder(engine, frames: 6 * Self.bar)
        recorder.render(6 * Self.bar, .mixed(seed: 2))
        let left = recorder.left()
        let take = try #require(engine.launcher.take(of: clip))
        let region = try #require(take.result?.region)
        #expect(region.count == 2 * Self.bar)
        take.withSamples(from: region.lowerBound) { samples, _ in
            #expect((0..<2 * Self.bar).allSatisfy { samples[$0] == left[2 * Self.bar + $0] })
        }
        withExtendedLifetime(recorder) {}
    }

    @Test("An input that is opened again is of something else, and what is not there is refused")
    func changed() throws {
        let engine = Engine(EngineConfiguration())
        for source in [InputSource.track(0), .bus(0), .track(0), .device] {
            try engine.inputs.open(InputIndex(0), channels: 2, of: source)
        }
        try engine.inputs.close(InputIndex(0))
        #expect(throws: EngineError.self) { try engine.inputs.open(InputIndex(0), channels: 2, of: .track(4_000)) }
        #expect(throws: EngineError.self) { try engine.inputs.open(InputIndex(0), channels: 2, of: .bus(4_000)) }
        let recorder = Recorder(engine, frames: 1_000)
        recorder.render(1_000, .fixed(64))
        #expect((0..<1_000).allSatisfy { recorder.left()[$0] == 0 })
        withExtendedLifetime(recorder) {}
    }
}

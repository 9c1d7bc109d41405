import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// The safety limiter behind the buses.
@Suite("Limited outputs")
struct LimitedOutputTests {
    static let frames = 60_000
    static let latency = 144

    /// Two tracks of a buzz each on a bus, and together over full scale on the main one.
    private func engine(_ limiter: LimiterSettings?, level: Float, tapFrames: Int = 0) throws -> Engine {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 3, busCount: 2, tapFrames: tapFrames, tempo: Tempo(clamping: 120),
                launchQuantization: .none, limiter: limiter))
        for track in 0..<3 {
            let samples = (0..<48_000).map { frame -> Float in
                let time = Double(frame) / 48_000
                return level * Float(sin(2 * .pi * 220 * time) + 0.5 * sin(2 * .pi * 1_760 * time + Double(track)))
            }
            let clip = try engine.launcher.load(
                SampleBuffer(left: samples, sampleRate: .standard),
                settings: ClipSettings(track: TrackIndex(track), beats: 2))
            try engine.launcher.launch(clip, at: FrameTime(Int64(5_000 * track)))
        }
        try engine.mixer[.track(TrackIndex(2))].setBus(BusIndex(1))
        return engine
    }

    private func played(
        _ limiter: LimiterSettings?, level: Float, _ plan: BlockPlan = .fixed(512),
        _ prepare: (Engine) throws -> Void = { _ in }
    ) throws -> Recorder {
        let engine = try engine(limiter, level: level)
        try prepare(engine)
        let recorder = Recorder(engine, frames: LimitedOutputTests.frames, keepsTracks: true)
        recorder.render(LimitedOutputTests.frames, plan)
        return recorder
    }

    @Test(
        "Below the ceiling every bus is what it was, bit for bit, later by what the engine says; events are not later")
    func transparency() throws {
        let plain = try played(nil, level: 0.2)
        let limited = try played(LimiterSettings(), level: 0.2)
        #expect(plain.engine.outputLatency == 0)
        let latency = limited.engine.outputLatency
        #expect(latency == LimitedOutputTests.latency)
        for bus in 0...1 {
            let (before, after) = (plain.left(bus: bus), limited.left(bus: bus))
            #expect(before.contains { $0 != 0 })
            #expect((0..<latency).allSatisfy { after[$0] == 0 })
            #expect((latency..<after.count).allSatisfy { after[$0].bitPattern == before[$0 - latency].bitPattern })
        }
        #expect(limited.events == plain.events)
        #expect(zip(limited.left(track: 0), plain.left(track: 0)).allSatisfy { $0.bitPattern == $1.bitPattern })
    }

    @Test(
        "Above it nothing is louder than the ceiling, on the bus that is loud; in every block size the same, to the bit"
    )
    func blockSizes() throws {
        let change: (Engine) throws -> Void = { engine in
            try engine.mixer.setLimiter(LimiterSettings(isOn: false), at: FrameTime(20_001))
            try engine.mixer.setLimiter(LimiterSettings(ceiling: Decibels(-3)), at: FrameTime(30_017))
        }
        let reference = try played(LimiterSettings(), level: 0.5, .fixed(64), change)
        let main = reference.left()
        #expect(main[..<20_001].allSatisfy { abs($0) <= 0.8913 })
        #expect(main[21_000..<30_017].contains { abs($0) > 1 })
        #expect(main[31_000...].allSatisfy { abs($0) <= 0.708 })
        let plain = try played(nil, level: 0.5)
        let (second, before) = (reference.left(bus: 1), plain.left(bus: 1))
        #expect(
            (LimitedOutputTests.latency..<20_000).allSatisfy { second[$0] == before[$0 - LimitedOutputTests.latency] })
        for plan in BlockSizeTests.plans {
            #expect(try played(LimiterSettings(), level: 0.5, plan, change).isIdentical(to: reference), "\(plan)")
        }
    }

    @Test("The tap has the mix as it was before the limiter, on the frames of the rendering")
    func tap() throws {
        let engine = try engine(LimiterSettings(), level: 0.5, tapFrames: 65_536)
        let recorder = Recorder(engine, frames: LimitedOutputTests.frames)
        recorder.render(LimitedOutputTests.frames)
        var left = [Float](repeating: 0, count: LimitedOutputTests.frames)
        var right = left
        #expect(engine.readTap(left: &left, right: &right, frames: left.count) == left.count)
        let plain = try played(nil, level: 0.5)
        #expect(zip(left, plain.left()).allSatisfy { $0.bitPattern == $1.bitPattern })
        #expect(left.contains { abs($0) > 1 })
    }

    @Test("The state counts what is over full scale on each bus until it is reset, and tells how far it is held down")
    func lights() throws {
        let engine = try engine(LimiterSettings(), level: 0.5)
        let recorder = Recorder(engine, frames: LimitedOutputTests.frames)
        recorder.render(20_000)
        let plain = try played(nil, level: 0.5)
        func overs(_ frames: Int) -> Int64 {
            let sides = [plain.left(), plain.right()]
            return Int64(sides.map { side in side[..<frames].reduce(0) { $0 + (abs($1) > 1 ? 1 : 0) } }.reduce(0, +))
        }
        var limiters = engine.state.limiters
        #expect(limiters.count == 2)
        #expect(overs(20_000) > 100 && limiters[0].overCount == overs(20_000))
        #expect(limiters[0].peak == plain.left()[..<20_000].map { abs($0) }.max())
        #expect(limiters[0].gain < 0.95 && limiters[0].lowestGain <= limiters[0].gain)
        #expect(limiters[1] == LimiterReading(overCount: 0, peak: limiters[1].peak, gain: 1, lowestGain: 1))
        try engine.mixer[.main].setGain(.silence)
        recorder.render(30_000)
        #expect(engine.state.limiters[0].overCount >= overs(20_000))
        try engine.mixer.resetOvers()
        recorder.render(5_000)
        limiters = engine.state.limiters
        #expect(limiters[0].overCount == 0 && limiters[0].peak == 0)
    }

    @Test("A ceiling out of its range is refused")
    func refusal() throws {
        let engine = try engine(LimiterSettings(), level: 0.1)
        #expect(throws: EngineError.invalidValue(name: "ceiling", value: 0.5)) {
            try engine.mixer.setLimiter(LimiterSettings(ceiling: Decibels(0.5)))
        }
    }

    @Test("With another sample rate the latency is as long in seconds, and nothing is above the ceiling")
    func sampleRate() throws {
        let engine = try engine(LimiterSettings(), level: 0.5)
        let recorder = Recorder(engine, frames: LimitedOutputTests.frames)
        recorder.render(20_000)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        #expect(engine.outputLatency == 288)
        recorder.render(40_000)
        #expect(recorder.left().allSatisfy { abs($0) <= 0.8913 })
        #expect(recorder.left()[30_000...].contains { abs($0) > 0.7 })
    }
}

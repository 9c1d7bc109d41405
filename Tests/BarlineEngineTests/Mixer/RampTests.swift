import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Faders, pan, parameters of effects and the tempo as they ramp, against closed forms.
@Suite("Ramps of parameters")
struct RampTests {
    private static let level = 0.5
    /// No multiple of 32, so that ramps begin and end within a segment.
    private static let start = 4_810
    private static let frames = 19_200

    /// An engine on whose first track a constant sounds.
    private func engine(_ gain: Decibels = .unity) throws -> Engine {
        let engine = Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            SampleBuffer(left: [Float](repeating: Float(RampTests.level), count: 100), sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: nil))
        try engine.mixer[.track(0)].setGain(gain)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        return engine
    }

    /// The closed form of a fader's ramp from `start` to `end`, of which `share` has gone by.
    private static func amplitude(_ curve: Curve, _ start: Double, _ end: Double, _ share: Double) -> Double {
        if share >= 1 { return end }
        switch curve {
        case .natural, .linear: return start * (1 - share) + end * share
        case .exponential: return pow(max(start, 1e-5), 1 - share) * pow(max(end, 1e-5), share)
        case .equalPower: return (start * start * (1 - share) + end * end * share).squareRoot()
        }
    }

    private static func samples(_ engine: Engine, _ count: Int, _ plan: BlockPlan = .fixed(512)) -> [Double] {
        let recorder = Recorder(engine, frames: count)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(count, plan)
        return recorder.left().map { Double($0) }
    }

    struct Way: CustomTestStringConvertible {
        let curve: Curve
        let from: Decibels
        let to: Decibels
        var testDescription: String { "\(curve), \(from.rawValue) to \(to.rawValue) dB" }
        static let all = Curve.allCases.flatMap { curve in
            [(0.0, -24.0), (-6, 6), (-Double.infinity, 0), (0, -.infinity)].map {
                Way(curve: curve, from: Decibels($0.0), to: Decibels($0.1))
            }
        }
    }

    @Test("A fader is where its curve says, and between in a straight line of 32 frames at most", arguments: Way.all)
    func fader(way: Way) throws {
        let engine = try engine(way.from)
        try engine.mixer[.track(0)].setGain(
            way.to, over: .seconds(0.4), curve: way.curve, at: FrameTime(Int64(RampTests.start)))
        let samples = RampTests.samples(engine, RampTests.start + RampTests.frames + 1_000)
        func expected(_ frame: Int) -> Double {
            RampTests.level
                * RampTests.amplitude(
                    way.curve, way.from.amplitude, way.to.amplitude,
                    Double(frame - RampTests.start) / Double(RampTests.frames))
        }
        let end = RampTests.start + RampTests.frames
        #expect((480...RampTests.start).allSatisfy { abs(samples[$0] - RampTests.level * way.from.amplitude) < 1e-7 })
        for frame in RampTests.start + 1..<end where frame % 32 == 0 {
            #expect(abs(samples[frame] - expected(frame)) < 1e-6, "frame \(frame)")
        }
        for frame in RampTests.start + 1..<end {
            let first = frame / 32 * 32
            let before = first > RampTests.start ? expected(first) : RampTests.level * way.from.amplitude
            let after = expected(min(end, frame / 32 * 32 + 32))
            let low = min(before, after) - 1e-6
            let high = max(before, after) + 1e-6
            #expect(low...high ~= samples[frame], "frame \(frame)")
        }
        let target = Double(Float(RampTests.level) * Float(way.to.amplitude))
        #expect(samples[end...].allSatisfy { $0 == target })
        #expect(engine.mixer[.track(0)].gain == way.to)
    }

    struct Balance: CustomTestStringConvertible {
        let curve: Curve
        let from: Double
        let to: Double
        var testDescription: String { "\(curve), \(from) to \(to)" }
        static let all = Curve.allCases.flatMap { curve in
            [(0.0, 1.0), (0.9, 0.2), (1, 0), (-1, 1)].map { Balance(curve: curve, from: $0.0, to: $0.1) }
        }
    }

    @Test("A pan moves the level of the channel that it attenuates along its curve", arguments: Balance.all)
    func balance(way: Balance) throws {
        let engine = try engine()
        let strip = engine.mixer[.track(0)]
        try strip.setPan(way.from)
        try strip.setPan(way.to, over: .seconds(0.4), curve: way.curve, at: FrameTime(Int64(RampTests.start)))
        let recorder = Recorder(engine, frames: RampTests.start + RampTests.frames + 100)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(recorder.capacity)
        // From side to side, one channel rises during the first half, and the other falls during the second one.
        func level(_ frame: Int, from: Double, to: Double, crossing: (Double) -> Double) -> Double {
            let share = min(1, max(0, Double(frame - RampTests.start) / Double(RampTests.frames)))
            let isCrossing = way.from * way.to < 0
            let (from, to, part) = isCrossing ? (from, to, crossing(share)) : (from, to, share)
            return RampTests.level
                * RampTests.amplitude(way.curve, 1 - max(0, from), 1 - max(0, to), min(1, max(0, part)))
        }
        let isCrossing = way.from * way.to < 0
        // Before the ramp, silence is silence, and none of −100 dB.
        for frame in RampTests.start + 1..<recorder.capacity where frame % 32 == 0 {
            let left = level(frame, from: isCrossing ? 0 : way.from, to: way.to) { 2 * $0 - 1 }
            let right = level(frame, from: -way.from, to: isCrossing ? 0 : -way.to) { 2 * $0 }
            #expect(abs(Double(recorder.left()[frame]) - left) < 1e-6, "left, frame \(frame)")
            #expect(abs(Double(recorder.right()[frame]) - right) < 1e-6, "right, frame \(frame)")
        }
        #expect(strip.pan == way.to)
    }

    @Test("A bus moves with its channels, which still add up to it")
    func bus() throws {
        let engine = try engine()
        try engine.mixer[.main].setGain(
            -20, over: .seconds(0.4), curve: .exponential, at: FrameTime(Int64(RampTests.start)))
        let recorder = Recorder(engine, frames: RampTests.start + RampTests.frames + 100, keepsTracks: true)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(recorder.capacity)
        for frame in stride(from: 480, to: recorder.capacity, by: 32) {
            let share = min(1, max(0, Double(frame - RampTests.start) / Double(RampTests.frames)))
            let expected = RampTests.level * RampTests.amplitude(.exponential, 1, 0.1, share)
            #expect(abs(Double(recorder.left()[frame]) - expected) < 1e-6, "frame \(frame)")
        }
        #expect(recorder.left().elementsEqual(recorder.left(track: 0)))
    }

    @Test("A length in beats ends where the timeline's own ramp has them end")
    func beats() throws {
        let engine = try engine()
        try engine.transport.start(at: FrameTime.zero)
        let start = FrameTime(Int64(RampTests.start))
        // From 120 to 180 BPM in 8 beats: half-way, after 4, it is 150.
        try engine.transport.setTempo(180, overBeats: 8, at: start)
        try engine.mixer[.track(0)].setGain(.silence, over: .beats(4), at: start)
        let samples = RampTests.samples(engine, 100_000)
        let expected = RampTests.start + Int((8 * log(150.0 / 120) * 48_000).rounded())
        #expect(abs((samples.lastIndex { $0 > 0 } ?? 0) + 1 - expected) <= 1)
    }

    @Test("A mute during a ramp is heard at once, and what is unmuted is where it would have been")
    func mute() throws {
        let engine = try engine()
        let strip = engine.mixer[.track(0)]
        try strip.setGain(-24, over: .seconds(0.4), curve: .exponential, at: FrameTime(Int64(RampTests.start)))
        try strip.setMute(true, at: FrameTime(10_007))
        try strip.setMute(false, at: FrameTime(15_003))
        let samples = RampTests.samples(engine, 30_000)
        #expect(samples[10_007 + 240..<15_003].allSatisfy { $0 == 0 })
        for frame in stride(from: 15_003 + 240, to: 24_000, by: 1) where frame % 32 == 0 {
            let share = Double(frame - RampTests.start) / Double(RampTests.frames)
            let expected = RampTests.level * RampTests.amplitude(.exponential, 1, pow(10, -1.2), share)
            #expect(abs(samples[frame] - expected) < 1e-6, "frame \(frame)")
        }
        let steepest = RampTests.level / 240
        #expect(zip(samples[480...], samples[481...]).allSatisfy { abs($0 - $1) < 1.1 * steepest })
    }

    @Test("A fader that is moved during a ramp goes to its new place in 5 ms, without a step")
    func interruption() throws {
        let engine = try engine()
        let strip = engine.mixer[.track(0)]
        try strip.setGain(.silence, over: .seconds(0.4), at: FrameTime(Int64(RampTests.start)))
        try strip.setGain(0, at: FrameTime(14_405))
        let samples = RampTests.samples(engine, 30_000)
        let half = RampTests.level * (1 - Double(14_405 - RampTests.start) / Double(RampTests.frames))
        for frame in 14_405...14_645 {
            let expected = half + (RampTests.level - half) * Double(frame - 14_405) / 240
            #expect(abs(samples[frame] - expected) < 1e-6, "frame \(frame)")
        }
        #expect(samples[14_645...].allSatisfy { $0 == RampTests.level })
    }

    @Test("Blocks never show", arguments: [.fixed(1), .fixed(7), .fixed(64), .mixed(seed: 3)] as [BlockPlan])
    func blocks(plan: BlockPlan) throws {
        func render(_ plan: BlockPlan) throws -> Recorder {
            let engine = try engine()
            let strip = engine.mixer[.track(0)]
            try strip.setGain(-40, over: .seconds(0.3), curve: .exponential, at: FrameTime(1_003))
            try strip.setPan(-0.7, over: .seconds(0.2), at: FrameTime(2_222))
            try engine.mixer[.main].setGain(-6, over: .seconds(0.25), curve: .equalPower, at: FrameTime(3_001))
            try strip.setMute(true, at: FrameTime(5_000))
            try strip.setMute(false, at: FrameTime(5_100))
            try strip.setGain(3, over: .seconds(0.1), curve: .equalPower, at: FrameTime(9_999))
            try strip.setGain(-3, at: FrameTime(12_345))
            let recorder = Recorder(engine, frames: 24_000, keepsTracks: true)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(24_000, plan)
            return recorder
        }
        #expect(try render(plan).isIdentical(to: render(.fixed(512))))
    }

    @Test("A ramp that another sample rate interrupts takes as many seconds")
    func sampleRate() throws {
        let engine = try engine()
        try engine.mixer[.track(0)].setGain(
            -24, over: .seconds(0.4), curve: .exponential, at: FrameTime(Int64(RampTests.start)))
        let recorder = Recorder(engine, frames: 40_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(RampTests.start + 4_800)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        recorder.render(40_000 - recorder.frames)
        // A quarter has gone by; what is left has twice as many frames.
        let left = 2 * (RampTests.frames - 4_800)
        for frame in recorder.left().indices where frame % 32 == 0 && frame > RampTests.start + 5_000 {
            let share = 0.25 + 0.75 * Double(frame - RampTests.start - 4_800) / Double(left)
            let expected = RampTests.level * RampTests.amplitude(.exponential, 1, pow(10, -1.2), share)
            #expect(abs(Double(recorder.left()[frame]) - expected) < 1e-6, "frame \(frame)")
        }
    }

    @Test("A tempo over seconds arrives with them, in equal ratios", arguments: [180.0, 90, 120.06, 120])
    func tempo(target: Double) throws {
        let engine = Engine(EngineConfiguration(tempo: 120))
        try engine.transport.start(at: FrameTime.zero)
        try engine.transport.setTempo(Tempo(clamping: target), over: .seconds(3), at: FrameTime(24_000))
        let recorder = Recorder(engine, frames: 200_000)
        defer { withExtendedLifetime(recorder) {} }
        // Evenly from beat to beat is an exponential in time.
        for frame in stride(from: 24_100, through: 168_000, by: 7_195) {
            recorder.render(frame - recorder.frames)
            let share = Double(frame - 24_000) / 144_000
            let expected = 120 * pow(target / 120, share)
            #expect(abs(engine.transport.tempo.beatsPerMinute - expected) < 1e-6, "frame \(frame)")
        }
        recorder.render(168_001 - recorder.frames)
        #expect(abs(engine.transport.tempo.beatsPerMinute - target) < 1e-9)
    }

    @Test("A parameter moves on the scale of its curve", arguments: Curve.allCases)
    func parameter(curve: Curve) {
        var parameter = Parameter(200, of: .frequency)
        parameter.set(3_200, at: FrameTime(100), frames: 1_000, curve)
        for frame in stride(from: 100, through: 1_100, by: 50) {
            let share = Double(frame - 100) / 1_000
            let expected = RampTests.amplitude(curve == .natural ? .exponential : curve, 200, 3_200, share)
            #expect(abs(parameter.value(at: FrameTime(Int64(frame))) / expected - 1) < 1e-5)
        }
        // Back on its own scale, half-way through.
        parameter.set(200, at: FrameTime(1_100), frames: 100)
        #expect(abs(parameter.value(at: FrameTime(1_150)) - 800) < 0.01)
    }

    @Test("A length that is none is refused, and nothing is changed", arguments: [-1, Double.nan, 1e9])
    func refusal(length: Double) throws {
        let engine = try engine()
        #expect(throws: EngineError.self) { try engine.mixer[.track(0)].setGain(-6, over: .seconds(length)) }
        #expect(throws: EngineError.self) { try engine.mixer[.main].setGain(-6, over: .beats(length)) }
        #expect(throws: EngineError.self) { try engine.transport.setTempo(90, over: .seconds(length)) }
        #expect(engine.mixer[.track(0)].gain == 0)
    }
}

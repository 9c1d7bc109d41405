import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Sends of channels to buses, on constant signals that show every factor, and against closed forms.
@Suite("Sends")
struct SendTests {
    private static let left: [Float] = [0.5, 0.25]
    private static let right: [Float] = [0.375, 0.125]
    /// No multiple of 32, so that ramps begin and end within a segment.
    private static let start = 4_810
    private static let frames = 19_200
    private static let monitor = BusIndex(1)

    /// An engine with two tracks, on each of which a constant sounds, and three buses.
    private func stage() throws -> Engine {
        let engine = Engine(
            EngineConfiguration(trackCount: 2, busCount: 3, launchQuantization: .none, firstLaunch: .immediate))
        let clips = try (0..<2).map { track in
            try engine.launcher.load(
                SampleBuffer(
                    left: [Float](repeating: SendTests.left[track], count: 100),
                    right: [Float](repeating: SendTests.right[track], count: 100), sampleRate: .standard),
                settings: ClipSettings(track: TrackIndex(track), beats: nil))
        }
        try engine.launcher.launchScene(clips, at: FrameTime.zero)
        return engine
    }

    private func played(_ engine: Engine, _ frames: Int, _ plan: BlockPlan = .fixed(512)) -> Recorder {
        let recorder = Recorder(engine, frames: frames)
        recorder.render(frames, plan)
        return recorder
    }

    /// Left and right of every bus when everything has settled.
    private func settled(_ engine: Engine) -> [Double] {
        let recorder = played(engine, 1_000)
        return withExtendedLifetime(recorder) {
            (0..<3).flatMap { [Double(recorder.left(bus: $0)[999]), Double(recorder.right(bus: $0)[999])] }
        }
    }

    private func expect(_ actual: [Double], _ expected: [Double], _ location: SourceLocation = #_sourceLocation) {
        #expect(zip(actual, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(actual)", sourceLocation: location)
    }

    /// The amplitude of −6 and of −12 dB.
    private let half = pow(10, -6 / 20.0)
    private let quarter = pow(10, -12 / 20.0)

    // MARK: Levels

    @Test("A send is the channel after its fader and pan, times its level; the channel's own output stays")
    func postFader() throws {
        let engine = try stage()
        let strip = engine.mixer[.track(0)]
        try strip.setGain(-6)
        try strip.setPan(0.25)
        try strip.send(to: SendTests.monitor).setLevel(-12)
        try engine.mixer[SendTests.monitor].setGain(6)
        let main = [0.5 * half * 0.75 + 0.25, 0.375 * half + 0.125]
        let gain = quarter / half
        expect(settled(engine), main + [0.5 * half * 0.75 * gain, 0.375 * half * gain, 0, 0])
    }

    @Test("A send before the fader follows neither fader nor pan")
    func preFader() throws {
        let engine = try stage()
        let strip = engine.mixer[.track(0)]
        try strip.setGain(.silence)
        try strip.setPan(-1)
        try strip.send(to: SendTests.monitor).setLevel(-12)
        try strip.send(to: SendTests.monitor).setPreFader(true)
        expect(settled(engine), [0.25, 0.125, 0.5 * quarter, 0.375 * quarter, 0, 0])
    }

    @Test("Each bus has a level of its own, and is the sum of what is sent to it")
    func several() throws {
        let engine = try stage()
        for (track, levels) in [(0, [-6.0, 0.0]), (1, [-12.0, -6.0])] {
            for (bus, level) in levels.enumerated() {
                let send = engine.mixer[.track(TrackIndex(track))].send(to: BusIndex(bus + 1))
                try send.setLevel(Decibels(level))
                try send.setPreFader(bus == 1)
            }
        }
        let expected = [
            0.75, 0.5, 0.5 * half + 0.25 * quarter, 0.375 * half + 0.125 * quarter, 0.5 + 0.25 * half,
            0.375 + 0.125 * half,
        ]
        expect(settled(engine), expected)
    }

    @Test("A channel may be sent to its own output, to which it then goes twice")
    func ownBus() throws {
        let engine = try stage()
        try engine.mixer[.track(1)].send(to: .main).setLevel(-6)
        expect(settled(engine), [0.75 + 0.25 * half, 0.5 + 0.125 * half, 0, 0, 0, 0])
    }

    @Test("Muted, or not soloed while another one is, a channel is sent nowhere", arguments: [false, true])
    func silence(isPreFader: Bool) throws {
        for isMuted in [true, false] {
            let engine = try stage()
            for track in 0..<2 {
                let send = engine.mixer[.track(TrackIndex(track))].send(to: SendTests.monitor)
                try send.setLevel(-6)
                try send.setPreFader(isPreFader)
            }
            if isMuted {
                try engine.mixer[.track(0)].setMute(true)
            } else {
                try engine.mixer[.track(1)].setSolo(true)
            }
            expect(settled(engine), [0.25, 0.125, 0.25 * half, 0.125 * half, 0, 0])
        }
    }

    @Test("Before the fader is after the effects")
    func effects() throws {
        let engine = try stage()
        var settings = EffectSettings(.filter)
        settings["mode"] = 1
        try engine.mixer.insert(settings, on: .channel(.track(0)))
        try engine.mixer[.track(0)].send(to: SendTests.monitor).setLevel(0)
        try engine.mixer[.track(0)].send(to: SendTests.monitor).setPreFader(true)
        // A high-pass leaves nothing of a constant.
        expect(settled(engine), [0.25, 0.125, 0, 0, 0, 0])
    }

    // MARK: Ramps

    @Test("A level ramps as its curve says, in straight segments of 32 frames at most", arguments: Curve.allCases)
    func ramp(curve: Curve) throws {
        let engine = try stage()
        let send = engine.mixer[.track(0)].send(to: SendTests.monitor)
        try send.setLevel(-40)
        try send.setLevel(0, over: .seconds(0.4), curve: curve, at: FrameTime(Int64(SendTests.start)))
        let recorder = played(engine, SendTests.start + SendTests.frames + 100)
        let samples = recorder.left(bus: 1)
        defer { withExtendedLifetime(recorder) {} }
        for frame in stride(from: SendTests.start / 32 * 32, to: recorder.capacity, by: 32) {
            let share = min(1, max(0, Double(frame - SendTests.start) / Double(SendTests.frames)))
            let level: Double =
                switch curve {
                case .natural, .linear: 0.01 * (1 - share) + share
                case .exponential: pow(0.01, 1 - share)
                case .equalPower: (0.0001 * (1 - share) + share).squareRoot()
                }
            #expect(abs(Double(samples[frame]) - 0.5 * level) < 1e-6, "frame \(frame)")
        }
        #expect(samples[(SendTests.start + SendTests.frames)...].allSatisfy { $0 == 0.5 })
        #expect(recorder.left()[480...].allSatisfy { $0 == 0.75 }, "the output is not touched")
    }

    @Test("A ramp keeps its seconds at another sample rate")
    func sampleRate() throws {
        let engine = try stage()
        let send = engine.mixer[.track(0)].send(to: SendTests.monitor)
        try send.setLevel(0, over: .seconds(0.4), at: FrameTime(Int64(SendTests.start)))
        let recorder = Recorder(engine, frames: 40_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(SendTests.start + 4_800)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        recorder.render(40_000 - recorder.frames)
        let left = Double(2 * (SendTests.frames - 4_800))
        for frame in stride(from: (SendTests.start + 4_832) & ~31, to: 40_000, by: 32) {
            let share = min(1, 0.25 + 0.75 * Double(frame - SendTests.start - 4_800) / left)
            #expect(abs(Double(recorder.left(bus: 1)[frame]) - 0.5 * share) < 1e-6, "frame \(frame)")
        }
    }

    @Test("Changes take 5 ms, without a step", arguments: ["level", "point", "mute", "pre-fader mute"])
    func change(what: String) throws {
        let engine = try stage()
        let strip = engine.mixer[.track(0)]
        let send = strip.send(to: SendTests.monitor)
        let frame = FrameTime(1_003)
        try strip.setGain(-6)
        let before: Double
        let after: Double
        switch what {
        case "level":
            before = 0
            after = 0.5 * half * quarter
            try send.setLevel(-12, at: frame)
        case "point":
            before = 0.5 * half * half
            after = 0.5 * half
            try send.setLevel(-6)
            try send.setPreFader(true, at: frame)
        default:
            before = 0.5 * (what == "mute" ? half : 1) * half
            after = 0
            try send.setLevel(-6)
            try send.setPreFader(what != "mute")
            try strip.setMute(true, at: frame)
        }
        let recorder = played(engine, 2_000)
        defer { withExtendedLifetime(recorder) {} }
        for frame in 480..<2_000 {
            let share = min(1, max(0, Double(frame - 1_003) / 240))
            let sample = Double(recorder.left(bus: 1)[frame])
            #expect(abs(sample - (before + (after - before) * share)) < 1e-6, "frame \(frame)")
        }
    }

    // MARK: Handles

    @Test("Sends read back what was asked for, and others are silent after the fader")
    func handles() throws {
        let engine = try stage()
        let send = engine.mixer[.pads].send(to: SendTests.monitor)
        #expect(send.level == .silence && !send.isPreFader)
        send.level = -9
        send.isPreFader = true
        #expect(send.level == -9 && send.isPreFader)
        #expect(engine.mixer[.pads].send(to: .main).level == .silence)
        #expect(engine.mixer[.track(0)].send(to: SendTests.monitor).level == .silence)
        #expect(engine.omittedChangeCount == 0)
    }

    @Test("Buses that are not there, and levels that are none, are refused")
    func refusals() throws {
        let engine = try stage()
        let strip = engine.mixer[.track(0)]
        #expect(throws: EngineError.unknownBus(BusIndex(3), count: 3)) { try strip.send(to: BusIndex(3)).setLevel(0) }
        #expect(throws: EngineError.unknownBus(BusIndex(-1), count: 3)) {
            try strip.send(to: BusIndex(-1)).setPreFader(true)
        }
        #expect(throws: EngineError.self) { try strip.send(to: .main).setLevel(Decibels(.nan)) }
        #expect(throws: EngineError.self) { try strip.send(to: .main).setLevel(0, over: .seconds(-1)) }
        #expect(throws: EngineError.self) { try engine.mixer[.track(2)].send(to: .main).setLevel(0) }
        #expect(strip.send(to: .main).level == .silence)
    }
}

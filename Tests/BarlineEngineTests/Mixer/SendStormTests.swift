import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Random changes of sends and strips, against a model that knows each channel's factors frame by frame.
@Suite("Storms of sends")
struct SendStormTests {
    private static let frames = 30_000
    private static let tracks = 3
    private static let buses = 3
    private static let sounds = [0.5, 0.25, 0.125]

    /// A value that goes to its target in 240 frames.
    private struct Line {
        var (start, from, to) = (0, 0.0, 0.0)
        init(_ value: Double) { (from, to) = (value, value) }
        func value(_ frame: Int) -> Double { from + (to - from) * min(1, Double(frame - start) / 240) }
        mutating func go(to target: Double, at frame: Int) {
            (from, start, to) = (frame == 0 ? target : value(frame), frame, target)
        }
    }

    private struct Model {
        struct Strip {
            var gain = 1.0
            var pan = 0.0
            var isMuted = false
            var isSoloed = false
            var (left, right) = (Line(1), Line(1))
            var audible = Line(1)
            var levels = [Line](repeating: Line(0), count: SendStormTests.buses)
            var before = [Line](repeating: Line(0), count: SendStormTests.buses)
        }
        var strips = [Strip](repeating: Strip(), count: SendStormTests.tracks)

        /// Sends every strip where its fader, pan, mute and all solos have it.
        mutating func settle(at frame: Int) {
            let isAnySoloed = strips.contains { $0.isSoloed }
            for index in strips.indices {
                var strip = strips[index]
                let audible = !strip.isMuted && (!isAnySoloed || strip.isSoloed) ? 1.0 : 0
                let left = strip.gain * audible * min(1, 1 - strip.pan)
                let right = strip.gain * audible * min(1, 1 + strip.pan)
                if audible != strip.audible.to { strip.audible.go(to: audible, at: frame) }
                if left != strip.left.to { strip.left.go(to: left, at: frame) }
                if right != strip.right.to { strip.right.go(to: right, at: frame) }
                strips[index] = strip
            }
        }

        /// Left and right of a bus at a frame.
        func sums(bus: Int, _ frame: Int) -> (Double, Double) {
            var (left, right) = (0.0, 0.0)
            for (strip, sound) in zip(strips, SendStormTests.sounds) {
                let (level, before) = (strip.levels[bus].value(frame), strip.before[bus].value(frame))
                let own = bus == 0 ? 1.0 : 0
                let common = level * before * strip.audible.value(frame)
                left += sound * (common + (own + level * (1 - before)) * strip.left.value(frame))
                right += sound * (common + (own + level * (1 - before)) * strip.right.value(frame))
            }
            return (left, right)
        }
    }

    private func engine() throws -> Engine {
        let engine = Engine(
            EngineConfiguration(
                trackCount: SendStormTests.tracks, busCount: SendStormTests.buses, launchQuantization: .none,
                firstLaunch: .immediate))
        let clips = try SendStormTests.sounds.enumerated().map { track, sound in
            try engine.launcher.load(
                SampleBuffer(left: [Float](repeating: Float(sound), count: 100), sampleRate: .standard),
                settings: ClipSettings(track: TrackIndex(track), beats: nil))
        }
        try engine.launcher.launchScene(clips, at: FrameTime.zero)
        return engine
    }

    /// One random change, in the engine and in the model.
    private func change(
        _ engine: Engine, _ strip: inout Model.Strip, track: Int, at frame: Int, _ random: inout TestRandom
    ) throws {
        let handle = engine.mixer[.track(TrackIndex(track))]
        let (time, bus) = (FrameTime(Int64(frame)), random.int(0...SendStormTests.buses - 1))
        switch random.int(0...7) {
        case 0:
            let gain = random.pick([Decibels.silence, -20, -6, 0, 3])
            strip.gain = gain.amplitude
            try handle.setGain(gain, at: time)
        case 1:
            strip.pan = random.double(-1...1)
            try handle.setPan(strip.pan, at: time)
        case 2:
            strip.isMuted = random.chance(0.5)
            try handle.setMute(strip.isMuted, at: time)
        case 3:
            strip.isSoloed = random.chance(0.3)
            try handle.setSolo(strip.isSoloed, at: time)
        case 4:
            let isOn = random.chance(0.5)
            strip.before[bus].go(to: isOn ? 1 : 0, at: frame)
            try handle.send(to: BusIndex(bus)).setPreFader(isOn, at: time)
        default:
            let level = random.pick([Decibels.silence, -20, -6, 0, 3])
            strip.levels[bus].go(to: level.amplitude, at: frame)
            try handle.send(to: BusIndex(bus)).setLevel(level, at: time)
        }
    }

    @Test("Each bus is the sum of its channels and of what is sent to it, on every frame", arguments: UInt64(1)...12)
    func sums(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let engine = try engine()
        var model = Model()
        let recorder = Recorder(engine, frames: SendStormTests.frames)
        defer { withExtendedLifetime(recorder) {} }
        var models: [(frame: Int, model: Model)] = []
        // The gaps are now longer and now shorter than a ramp.
        var frame = 0
        while frame < SendStormTests.frames {
            let track = random.int(0...SendStormTests.tracks - 1)
            try change(engine, &model.strips[track], track: track, at: frame, &random)
            model.settle(at: frame)
            models.append((frame, model))
            frame += random.pick([1, 31, 32, 100, 240, 300, 1_000])
        }
        recorder.render(SendStormTests.frames, .mixed(seed: seed))
        var place = 0
        // The clips have faded in by then.
        for frame in 480..<SendStormTests.frames {
            while place + 1 < models.count, models[place + 1].frame <= frame { place += 1 }
            for bus in 0..<SendStormTests.buses {
                let expected = models[place].model.sums(bus: bus, frame)
                let actual = (Double(recorder.left(bus: bus)[frame]), Double(recorder.right(bus: bus)[frame]))
                let isRight = abs(actual.0 - expected.0) < 2e-6 && abs(actual.1 - expected.1) < 2e-6
                #expect(isRight, "frame \(frame), bus \(bus): \(actual) for \(expected)")
                if !isRight { return }
            }
        }
    }

    @Test("Blocks never show", arguments: [.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 5)] as [BlockPlan])
    func blocks(plan: BlockPlan) throws {
        func render(_ plan: BlockPlan) throws -> Recorder {
            var random = TestRandom(seed: 17)
            let engine = try engine()
            try engine.mixer.insert(EffectSettings(.filter), on: .bus(BusIndex(1)))
            var model = Model()
            for frame in stride(from: 0, to: 24_000, by: 317) {
                let track = random.int(0...SendStormTests.tracks - 1)
                try change(engine, &model.strips[track], track: track, at: frame, &random)
                let send = engine.mixer[.track(TrackIndex(track))].send(to: BusIndex(random.int(0...2)))
                try send.setLevel(
                    Decibels(random.double(-40...0)), over: .seconds(random.double(0...0.1)),
                    curve: random.pick(Curve.allCases), at: FrameTime(Int64(frame + random.int(0...316))))
            }
            let recorder = Recorder(engine, frames: 24_000)
            recorder.render(24_000, plan)
            return recorder
        }
        #expect(try render(plan).isIdentical(to: render(.fixed(512))))
    }

    @Test("Sends that are silent, or go elsewhere, change no sample of the main output")
    func untouched() throws {
        func render(_ adjust: (Engine) throws -> Void) throws -> [Float] {
            let engine = try engine()
            let strip = engine.mixer[.track(0)]
            try strip.setGain(-17, over: .seconds(0.2), curve: .exponential, at: FrameTime(1_003))
            try strip.setPan(0.3, at: FrameTime(5_000))
            try strip.setMute(true, at: FrameTime(15_000))
            try adjust(engine)
            let recorder = Recorder(engine, frames: 20_000)
            recorder.render(20_000)
            return withExtendedLifetime(recorder) { Array(recorder.left()) }
        }
        let plain = try render { _ in }
        let sent = try render { engine in
            try engine.mixer[.track(0)].send(to: .main).setLevel(.silence)
            try engine.mixer[.track(0)].send(to: BusIndex(1)).setLevel(-3)
            try engine.mixer[.track(0)].send(to: BusIndex(2)).setPreFader(true)
            try engine.mixer[.track(0)].send(to: BusIndex(2)).setLevel(0, over: .seconds(0.3), at: FrameTime(2_000))
        }
        #expect(plain == sent)
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Tracks, buses and their laws, on constant signals that show every factor.
@Suite("Mixer")
struct MixerTests {
    private static let left: [Float] = [0.5, 0.25, 0.125]
    private static let right: [Float] = [0.375, 0.1875, 0.0625]

    private func stage(buses: Int = 2) throws -> Engine {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 3, busCount: buses, launchQuantization: .none, firstLaunch: .immediate))
        let clips = try (0..<3).map { track in
            try engine.launcher.load(
                SampleBuffer(
                    left: [Float](repeating: MixerTests.left[track], count: 100),
                    right: [Float](repeating: MixerTests.right[track], count: 100), sampleRate: .standard),
                settings: ClipSettings(track: TrackIndex(track), beats: nil))
        }
        try engine.launcher.launchScene(clips, at: FrameTime.zero)
        return engine
    }

    /// What comes out when everything has settled.
    private func settled(_ engine: Engine) -> [Float] {
        let recorder = Recorder(engine, frames: 1_000)
        recorder.render(1_000)
        return (0..<engine.configuration.busCount).flatMap {
            [recorder.left(bus: $0)[999], recorder.right(bus: $0)[999]]
        }
    }

    private func expect(_ actual: [Float], _ expected: [Float], _ location: SourceLocation = #_sourceLocation) {
        #expect(zip(actual, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(actual)", sourceLocation: location)
    }

    @Test("What the engine does not have is silent on every meter")
    func missingMeters() throws {
        let engine = try stage()
        let recorder = Recorder(engine, frames: 1_000)
        recorder.render(1_000)
        #expect(engine.mixer[.main].meter != .silence)
        for bus in [BusIndex(2), BusIndex(.max), BusIndex(-1)] { #expect(engine.mixer[bus].meter == .silence) }
        #expect(engine.mixer[.track(64)].meter == .silence)
    }

    @Test("A bus is the sum of its tracks")
    func sum() throws {
        let engine = try stage()
        expect(settled(engine), [0.875, 0.625, 0, 0])
        try engine.mixer[.track(TrackIndex(1))].setBus(BusIndex(1))
        expect(settled(engine), [0.625, 0.4375, 0.25, 0.1875])
    }

    @Test("Faders are in decibels")
    func gains() throws {
        let engine = try stage()
        try engine.mixer[.track(TrackIndex(0))].setGain(Decibels(-20))
        try engine.mixer[.track(TrackIndex(1))].setGain(Decibels(6))
        try engine.mixer[.track(TrackIndex(2))].setGain(.silence)
        let six: Float = 1.995262
        expect(settled(engine), [0.05 + 0.25 * six, 0.0375 + 0.1875 * six, 0, 0])
        try engine.mixer[.main].setGain(Decibels(-20))
        expect(settled(engine), [0.005 + 0.025 * six, 0.00375 + 0.01875 * six, 0, 0])
    }

    @Test("Pan is a linear balance", arguments: [-1.0, -0.5, 0, 0.25, 1])
    func pan(pan: Double) throws {
        let engine = try stage()
        try engine.mixer[.track(TrackIndex(1))].setMute(true)
        try engine.mixer[.track(TrackIndex(2))].setMute(true)
        try engine.mixer[.track(TrackIndex(0))].setPan(pan)
        expect(settled(engine), [0.5 * Float(min(1, 1 - pan)), 0.375 * Float(min(1, 1 + pan)), 0, 0])
    }

    @Test("Only soloed tracks sound while there are any; mute wins over solo")
    func solo() throws {
        let engine = try stage()
        try engine.mixer[.track(TrackIndex(1))].setSolo(true)
        expect(settled(engine), [0.25, 0.1875, 0, 0])
        try engine.mixer[.track(TrackIndex(2))].setSolo(true)
        expect(settled(engine), [0.375, 0.25, 0, 0])
        try engine.mixer[.track(TrackIndex(1))].setMute(true)
        expect(settled(engine), [0.125, 0.0625, 0, 0])
        try engine.mixer[.track(TrackIndex(1))].setSolo(false)
        try engine.mixer[.track(TrackIndex(2))].setSolo(false)
        expect(settled(engine), [0.625, 0.4375, 0, 0])
    }

    @Test("A clip's gain multiplies its samples, and can be moved while it plays")
    func clipGain() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            SampleBuffer(left: [1], sampleRate: .standard),
            settings: ClipSettings(track: TrackIndex(0), beats: nil, gain: Decibels(-20)))
        try engine.launcher.launch(clip)
        expect(settled(engine), [0.1, 0.1])
        try engine.launcher.setGain(Decibels(-40), of: clip)
        expect(settled(engine), [0.01, 0.01])
    }

    @Test("Tracks apart add up to their bus, sample by sample")
    func tracksAddUp() throws {
        let script = RandomScript.make(seed: 7, rate: 48_000, seconds: 6)
        let engine = try script.engine()
        for track in 0..<4 {
            try engine.mixer[.track(TrackIndex(track))].setGain(Decibels(Double(-3 * track)), at: FrameTime(50_000))
            try engine.mixer[.track(TrackIndex(track))].setPan(0.3 * Double(track - 1), at: FrameTime(70_000))
        }
        try engine.mixer[.main].setGain(Decibels(-5), at: FrameTime(90_000))
        let recorder = Recorder(engine, frames: script.length, keepsTracks: true)
        recorder.render(script.length)
        var worst: Float = 0
        for frame in 0..<script.length {
            let left = (0..<4).reduce(Float(0)) { $0 + recorder.left(track: $1)[frame] }
            let right = (0..<4).reduce(Float(0)) { $0 + recorder.right(track: $1)[frame] }
            worst = max(worst, abs(left - recorder.left()[frame]), abs(right - recorder.right()[frame]))
        }
        #expect(worst < 1e-6)
    }

    @Test("Outputs apart are silent where their track is, whatever was in the buffers")
    func silentTracksAreCleared() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, busCount: 1))
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 400)
        samples.initialize(repeating: 7, count: 400)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(
            capacity: 2 + 2 * engine.configuration.channelCount)
        pointers.initialize(repeating: nil, count: 2 + 2 * engine.configuration.channelCount)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<4 { pointers[channel] = samples + 100 * channel }
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2, frames: 100)
        block.channelOutputs = UnsafePointer(pointers + 2)
        engine.render(block)
        #expect((0..<400).allSatisfy { samples[$0] == 0 })
    }

    @Test("Missing and superfluous output buffers are passed over")
    func oddOutputs() throws {
        let engine = try stage()
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 600)
        samples.initialize(repeating: 0, count: 600)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 6)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<6 { (pointers + channel).initialize(to: samples + 100 * channel) }
        pointers[0] = nil
        engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 6, frames: 100))
        #expect(samples[0] == 0)
        #expect(abs(samples[150] - 0.625) < 1e-6)
        engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 0, frames: 100))
        #expect(engine.state.frame == FrameTime(200))
    }

    @Test("The tap has the main bus's frames")
    func tap() throws {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 1, tapFrames: 1_000, launchQuantization: .none, firstLaunch: .immediate))
        var random = TestRandom(seed: 2)
        let samples = (0..<500).map { _ in Float(random.double(-1...1)) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard), settings: ClipSettings(track: TrackIndex(0), beats: nil)
        )
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 900)
        recorder.render(900)
        var left = [Float](repeating: 0, count: 1_000)
        var right = left
        let count = engine.readTap(left: &left, right: &right, frames: 1_000)
        #expect(count == 900)
        #expect((0..<900).allSatisfy { left[$0] == recorder.left()[$0] && right[$0] == recorder.right()[$0] })
    }
}

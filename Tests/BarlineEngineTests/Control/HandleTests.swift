import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// What the handles of an engine's parts are set to is what they read as, and what sounds.
@Suite("Handles")
struct HandleTests {
    private func engine(commands: Int = 64, limiter: LimiterSettings? = nil) -> Engine {
        Engine(
            EngineConfiguration(
                trackCount: 2, stemCapacity: 2, busCount: 2, commandCapacity: commands, launchQuantization: .none,
                limiter: limiter))
    }

    @Test("A strip reads as it was set, before and after it has taken effect")
    func strips() {
        let engine = engine()
        let recorder = Recorder(engine, frames: 128)
        for channel in [Channel.track(1), .stem(0), .metronome, .playlist] {
            let strip = engine.mixer[channel]
            #expect(strip.gain == .unity && strip.pan == 0 && !strip.isMuted && !strip.isSoloed && strip.bus == .main)
            strip.gain = -6.5
            strip.pan = -0.25
            strip.isMuted = true
            strip.isSoloed = true
            strip.bus = 1
            for _ in 0..<2 {
                #expect(strip.gain == -6.5 && strip.pan == -0.25 && strip.isMuted && strip.isSoloed && strip.bus == 1)
                recorder.render(16)
            }
        }
        #expect(engine.mixer[.track(0)].gain == .unity)
        #expect(engine.state.tracks[1].strip.isMuted && engine.state.tracks[1].strip.isSoloed)
    }

    @Test("Faders of buses and stems, the limiter and the grid read as they were set")
    func others() {
        let engine = engine(limiter: LimiterSettings())
        engine.mixer[.main].gain = -3
        engine.stems.gain = -12
        engine.stems[1].pan = 0.5
        engine.mixer.limiter = LimiterSettings(isOn: false)
        engine.launcher.quantization = .bars(2)
        engine.launcher.snapTolerance = 0.125
        engine.launcher.firstLaunch = .immediate
        engine.metronome.isOn = true
        engine.metronome.settings.subdivision = 3
        #expect(engine.mixer[.main].gain == -3 && engine.mixer[1].gain == .unity)
        #expect(engine.stems.gain == -12 && engine.mixer[.stem(1)].pan == 0.5)
        #expect(engine.mixer.limiter?.isOn == false)
        #expect(engine.launcher.quantization == .bars(2) && engine.launcher.snapTolerance == 0.125)
        #expect(engine.launcher.firstLaunch == .immediate)
        #expect(engine.metronome.settings == MetronomeSettings(isEnabled: true, subdivision: 3))
        #expect(engine.omittedChangeCount == 0)
    }

    @Test("The configuration is what is read at the start")
    func configured() {
        let engine = Engine(
            EngineConfiguration(
                tempo: 93, timeSignature: TimeSignature(7, 8) ?? .common, launchQuantization: .bars(4),
                snapTolerance: 0.5, metronome: MetronomeSettings(countInBars: 2)))
        #expect(engine.transport.tempo == 93 && engine.transport.timeSignature == TimeSignature(7, 8))
        #expect(engine.launcher.quantization == .bars(4) && engine.launcher.snapTolerance == 0.5)
        #expect(engine.metronome.settings.countInBars == 2 && engine.mixer.limiter == nil)
    }

    @Test("A tempo that was set is read at once, and what changes it afterwards is read then")
    func tempo() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 100_000)
        engine.transport.tempo = 126
        #expect(engine.transport.tempo == 126 && engine.transport.state.tempo == .standard)
        recorder.render(64)
        #expect(engine.transport.tempo == 126 && engine.transport.state.tempo == 126)
        try engine.transport.setTempo(90, at: FrameTime(1_000))
        recorder.render(192)
        #expect(engine.transport.tempo == 126)
        recorder.render(1_000)
        #expect(engine.transport.tempo == 90)
        engine.transport.tempo = 100
        try engine.transport.start()
        try engine.transport.setTempo(200, overBeats: 4)
        recorder.render(48_000)
        #expect(engine.transport.tempo > 100 && engine.transport.tempo < 200 && engine.transport.isRolling)
    }

    @Test("A change that is out of range or finds no room is left out, and counted")
    func omitted() {
        let engine = engine(commands: 2)
        let strip = engine.mixer[.track(0)]
        strip.pan = 2
        strip.gain = Decibels(.nan)
        engine.mixer[.track(7)].isMuted = true
        #expect(engine.omittedChangeCount == 3 && strip.pan == 0 && strip.gain == .unity)
        strip.gain = -1
        strip.gain = -2
        strip.gain = -3
        #expect(engine.omittedChangeCount == 4 && strip.gain == -2)
        Recorder(engine, frames: 16).render(16)
        strip.gain = -3
        #expect(engine.omittedChangeCount == 4 && strip.gain == -3)
    }

    @Test("A meter of one channel is the one in the whole state")
    func meters() throws {
        let engine = engine()
        let clip = try engine.launcher.load(
            SampleBuffer(left: Array(repeating: 0.5, count: 4_800), sampleRate: .standard),
            settings: ClipSettings(track: 1, beats: nil))
        try engine.launcher.launch(clip)
        Recorder(engine, frames: 2_000).render(2_000)
        #expect(engine.mixer[.track(1)].meter.peakLeft > 0.4)
        #expect(engine.mixer[.track(1)].meter == engine.state.tracks[1].strip.meter)
        #expect(engine.mixer[.track(0)].meter == .silence && engine.mixer[.metronome].meter == .silence)
        #expect(engine.mixer[.main].meter == engine.state.buses[0])
    }

    @Test("A transaction takes effect in one block, also one that ends with an error")
    func transaction() throws {
        struct Enough: Error {}
        let engine = engine()
        let recorder = Recorder(engine, frames: 64)
        #expect(throws: Enough.self) {
            try engine.transaction { () throws(Enough) in
                engine.mixer[.track(0)].isMuted = true
                throw Enough()
            }
        }
        // Where any error may be thrown, no type has to be stated.
        try engine.transaction {
            try engine.mixer[.metronome].setMute(true)
            recorder.render(16)
            #expect(!engine.state.metronome.isMuted)
        }
        let (value, first) = engine.transaction {
            engine.mixer[.track(1)].isMuted = true
            recorder.render(16)
            return engine.state.tracks[1].strip.isMuted
        }
        #expect(!value && first != nil)
        #expect(engine.state.tracks[0].strip.isMuted && engine.state.metronome.isMuted)
        recorder.render(16)
        #expect(engine.state.tracks[1].strip.isMuted)
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// What the engine refuses, it refuses to the caller; the audio thread never sees it.
@Suite("Refusals")
struct RefusalTests {
    private let buffer = SampleBuffer(left: [0, 1, 0, -1], sampleRate: .standard)

    private func engine() -> Engine {
        Engine(EngineConfiguration(trackCount: 2, busCount: 1, clipCapacity: 2, commandCapacity: 4))
    }

    @Test("More commands than fit are refused until some have taken effect")
    func busy() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 100)
        for _ in 0..<4 { try engine.launcher.stopAll() }
        #expect(throws: EngineError.busy(capacity: 4)) { try engine.launcher.stopAll() }
        #expect(throws: EngineError.busy(capacity: 4)) {
            _ = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil))
        }
        recorder.render(64)
        try engine.launcher.stopAll()
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil))
        #expect(throws: EngineError.busy(capacity: 4)) { try engine.launcher.launchScene([clip, clip, clip]) }
        recorder.render(36)
        #expect(recorder.events.count == 6)
    }

    @Test("A grid of launches without a length is the shortest that there is", arguments: [-1, 0])
    func emptyGrid(count: Int32) throws {
        func quantization(_ grid: Quantization) -> Quantization {
            Engine(EngineConfiguration(launchQuantization: grid)).launcher.quantization
        }
        #expect(quantization(.bars(count)) == .bars(1))
        #expect(quantization(.note(numerator: count, denominator: count)) == .note(numerator: 1, denominator: 1))
        #expect(quantization(.note(numerator: 1, denominator: count)) == .note(numerator: 1, denominator: 1))
        #expect(quantization(.note(numerator: 3, denominator: 8)) == .note(numerator: 3, denominator: 8))
    }

    @Test("Stems on a bar line that is nowhere are refused; such that begin beyond every source are silent")
    func farStems() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 1))
        let recorder = Recorder(engine, frames: 20_000)
        let source = SampleStem(noise: 3, frames: 10_000)
        for barLine in [Double.nan, .infinity, -.infinity] {
            #expect(throws: EngineError.self) {
                _ = try Multitrack(
                    [Stem(source)], on: engine, grid: StemGrid(tempo: .standard, barLine: barLine), feeding: .manual)
            }
        }
        let stems = try Multitrack([Stem(source)], on: engine, feeding: .manual)
        #expect(throws: EngineError.self) { try stems.setGrid(StemGrid(tempo: .standard, barLine: .nan)) }
        for offset in [Int64.min, .max] {
            try stems.setStem(Stem(source, offset: offset), at: 0)
            stems.play()
            for _ in 0..<10 {
                stems.feed()
                recorder.render(512, .fixed(512))
            }
        }
        #expect(recorder.left()[..<recorder.frames].allSatisfy { $0 == 0 })
    }

    @Test("What is not there has no fader, no meter and no status")
    func absent() throws {
        let engine = engine()
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil))
        #expect(engine.mixer[BusIndex(7)].gain == .silence && engine.mixer[BusIndex(-1)].gain == .silence)
        for track in [-1, 2, 64] { #expect(engine.state.status(of: clip, on: TrackIndex(track)) == .stopped) }
    }

    @Test("Commands for the future count until their frame has come")
    func busyWithTheFuture() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 200)
        for frame in 0..<4 { try engine.launcher.stopAll(at: FrameTime(Int64(50 * frame))) }
        recorder.render(60)
        try engine.launcher.stopAll()
        try engine.launcher.stopAll()
        #expect(throws: EngineError.busy(capacity: 4)) { try engine.launcher.stopAll() }
        recorder.render(140)
        for _ in 0..<4 { try engine.launcher.stopAll() }
    }

    @Test("A full clip table, foreign handles, unknown tracks and buses are errors")
    func unknownThings() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 64)
        let settings = ClipSettings(track: TrackIndex(0), beats: nil)
        _ = try engine.launcher.load(buffer, settings: settings)
        let clip = try engine.launcher.load(buffer, settings: settings)
        #expect(throws: EngineError.clipTableFull(capacity: 2)) {
            _ = try engine.launcher.load(buffer, settings: settings)
        }
        recorder.render(64)
        try engine.launcher.unload(clip)
        #expect(throws: EngineError.unknownClip(clip)) { try engine.launcher.launchScene([clip]) }
        #expect(throws: EngineError.unknownClip(clip)) { try engine.launcher.unload(clip) }
        #expect(throws: EngineError.unknownClip(clip)) {
            try engine.launcher.replace(clip, with: buffer, settings: settings)
        }
        #expect(throws: EngineError.unknownTrack(TrackIndex(2), count: 2)) { try engine.launcher.stop(TrackIndex(2)) }
        #expect(throws: EngineError.unknownTrack(TrackIndex(-1), count: 2)) {
            try engine.mixer[.track(TrackIndex(-1))].setMute(true)
        }
        #expect(throws: EngineError.unknownBus(BusIndex(1), count: 1)) {
            try engine.mixer[.track(TrackIndex(0))].setBus(BusIndex(1))
        }
    }

    @Test(
        "Absurd lengths in beats are errors",
        arguments: [0, -1, .nan, .infinity, 1e-300, 1e-12, 1e18, 1e300] as [Double])
    func absurdBeats(beats: Double) {
        let engine = engine()
        #expect(throws: EngineError.self) {
            _ = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: beats))
        }
    }

    @Test("Regions outside the source are errors", arguments: [0..<5, -1..<2, 2..<2])
    func regions(region: Range<Int>) {
        let engine = engine()
        #expect(throws: EngineError.invalidRegion(region, frameCount: 4)) {
            _ = try engine.launcher.load(
                buffer, settings: ClipSettings(track: TrackIndex(0), region: region, beats: nil))
        }
    }

    private static let grids: [Quantization] = [
        .bars(0), .bars(-1), .note(numerator: 0, denominator: 4), .note(numerator: 1, denominator: 0),
        .note(numerator: -1, denominator: 4), .note(numerator: .min, denominator: .min),
    ]

    @Test("Grids without a period are errors", arguments: grids.indices)
    func gridsWithoutPeriod(index: Int) {
        let grid = RefusalTests.grids[index]
        let engine = engine()
        #expect(throws: EngineError.self) { try engine.launcher.setQuantization(grid) }
        #expect(throws: EngineError.self) {
            _ = try engine.launcher.load(
                buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil, quantization: grid))
        }
    }

    @Test("A player for an engine without room for a playlist is refused")
    func noPlaylist() {
        #expect(throws: EngineError.noPlaylist) { try PlaylistPlayer(on: engine()) }
    }

    @Test("Numbers out of range are errors")
    func numbers() {
        let engine = engine()
        #expect(throws: EngineError.self) { try engine.transport.setTempo(.standard, overBeats: 1e18) }
        #expect(throws: EngineError.self) { try engine.transport.setTempo(.standard, overBeats: -1) }
        #expect(throws: EngineError.self) { try engine.transport.setTempo(.standard, overBeats: .nan) }
        #expect(throws: EngineError.self) { try engine.launcher.setSnapTolerance(0.6) }
        #expect(throws: EngineError.self) { try engine.mixer[.track(TrackIndex(0))].setPan(1.5) }
        #expect(throws: EngineError.self) { try engine.mixer[.track(TrackIndex(0))].setGain(Decibels(.nan)) }
        #expect(throws: EngineError.self) { try engine.mixer[.main].setGain(Decibels(.infinity)) }
        #expect(throws: EngineError.self) { try engine.launcher.stopAll(at: FrameTime(.min + 1)) }
        #expect(throws: EngineError.self) { try engine.launcher.stopAll(at: FrameTime(.max)) }
        #expect(throws: EngineError.self) { try engine.transport.relocate(to: Beat(.nan)) }
    }

    @Test(
        "Everything that is not refused renders, however extreme",
        arguments: [1e-6, 1.0 / 1024, 1, 1e6], [20.0, 999])
    func extremes(beats: Double, tempo: Double) throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 2, tempo: Tempo(clamping: tempo), launchQuantization: .none))
        let clips = try (0..<2).map {
            try engine.launcher.load(
                buffer,
                settings: ClipSettings(track: TrackIndex($0), beats: beats, loops: $0 == 0, startPosition: .synced))
        }
        try engine.launcher.launchScene(clips, at: FrameTime(100))
        try engine.transport.setTempo(Tempo(clamping: 1_019 - tempo), overBeats: 1_000_000, at: FrameTime(1_000))
        try engine.transport.setTempo(Tempo(clamping: tempo), overBeats: 1e-9, at: FrameTime(2_000))
        try engine.launcher.setQuantization(.bars(.max), at: FrameTime(3_000))
        try engine.launcher.launchScene(clips, at: FrameTime(3_001))
        try engine.launcher.setQuantization(.note(numerator: 1, denominator: .max), at: FrameTime(4_000))
        try engine.launcher.launchScene(clips, at: FrameTime(4_001))
        let recorder = Recorder(engine, frames: 10_000)
        recorder.render(10_000, .mixed(seed: 1))
        #expect(recorder.left().allSatisfy { $0.isFinite })
        #expect(engine.state.frame == FrameTime(10_000))
    }

    @Test("A late start far in the past neither hangs nor floods")
    func farInThePast() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 2_000_000)
        recorder.render(1_900_000, .fixed(8_192))
        try engine.transport.start(at: FrameTime.zero)
        recorder.render(100_000)
        let pulses = recorder.events.filter {
            if case .metronome(.pulse) = $0.kind { return true }
            return false
        }
        #expect(pulses.count == 4)
        #expect(pulses.allSatisfy { $0.frame.rawValue % 24_000 == 0 })
    }

    @Test(
        "Gains that are no amplitudes are refused of clips and of items of a list",
        arguments: [.nan, .infinity, 1e300, 800])
    func gains(gain: Double) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, playlistSeconds: 1))
        var settings = ClipSettings(track: TrackIndex(0), beats: nil)
        settings.gain = Decibels(gain)
        #expect(throws: EngineError.self) { _ = try engine.launcher.load(buffer, settings: settings) }
        let player = try PlaylistPlayer(on: engine, ahead: 1, feeding: .manual)
        var item = PlaylistItem.noise(1, frames: 1_000)
        item.gain = Decibels(gain)
        #expect(throws: EngineError.self) { try player.insert([item], at: 0) }
        #expect(player.items.isEmpty)
        settings.gain = Decibels(-.infinity)
        _ = try engine.launcher.load(buffer, settings: settings)
    }

    @Test("Frames that no file has are refused of items; a length is known of whatever is not")
    func itemFrames() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, playlistSeconds: 1))
        let player = try PlaylistPlayer(on: engine, ahead: 1, feeding: .manual)
        var item = PlaylistItem.noise(1, frames: 1_000)
        for (start, end) in [(Int64.max, nil), (Int64.min, nil), (0, Int64.min)] as [(Int64, Int64?)] {
            (item.start, item.end) = (start, end)
            #expect(throws: EngineError.self) { try player.insert([item], at: 0) }
            #expect(item.duration.map { $0 >= 0 } == true)
        }
        (item.start, item.end) = (0, .max)
        try player.insert([item], at: 0)
        player.play()
        let recorder = Recorder(engine, frames: 4_000)
        for _ in 0..<8 {
            player.feed()
            recorder.render(500)
        }
        #expect(recorder.left()[100..<900].contains { $0 != 0 } && recorder.left()[1_000...].allSatisfy { $0 == 0 })
    }

    @Test("Of values that it can't have an engine takes the nearest, so that its limiter limits and its clicks click")
    func configuration() throws {
        var configuration = EngineConfiguration(trackCount: 0, busCount: 0, clipCapacity: 0, voiceCount: 0)
        configuration.inputCapacity = -1
        configuration.commandCapacity = 64
        configuration.playlistSeconds = .nan
        configuration.snapTolerance = .nan
        for subdivision in [Int.min, 0, 64, 1_000, 20_000, .max] {
            configuration.metronome = MetronomeSettings(
                isEnabled: true, subdivision: subdivision, swing: .nan, countInBars: subdivision < 1 ? -3 : 0)
            for ceiling in [Double.nan, 40, .infinity] {
                configuration.limiter = LimiterSettings(ceiling: Decibels(ceiling))
                let engine = Engine(configuration)
                try engine.mixer[.main].setGain(40)
                try engine.transport.start()
                let recorder = Recorder(engine, frames: 60_000)
                recorder.render(60_000)
                let peak = recorder.left().reduce(0) { max($0, abs($1)) }
                #expect(peak > 0.1 && peak <= 1.001, "subdivision \(subdivision), ceiling \(ceiling): \(peak)")
            }
        }
    }

    @Test("A list is read ahead for ten minutes at most, whatever is asked for", arguments: [601, 1e300, .infinity])
    func longLists(seconds: Double) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, playlistSeconds: seconds))
        #expect(engine.configuration.playlistSeconds == EngineConfiguration.longestPlaylistSeconds)
        let player = try PlaylistPlayer(on: engine, ahead: 1, feeding: .manual)
        try player.insert([PlaylistItem.noise(1, frames: 1_000)], at: 0)
        player.play()
        player.feed()
        let recorder = Recorder(engine, frames: 1_000)
        recorder.render(1_000)
        #expect(recorder.left().contains { $0 != 0 })
    }

    @Test("An effect's values are there by name, and a name that it has not is let be")
    func effectNames() {
        var settings = EffectSettings(.filter)
        settings["cutoff"] = 800
        settings["Cutoff"] = 5
        settings["cutoff "] = nil
        settings["cutoff"] = nil
        #expect(settings["cutoff"] == 800)
        #expect(settings["Cutoff"] == nil)
        #expect(settings.values.filter { $0 == 800 }.count == 1)
        settings.values = []
        settings["cutoff"] = 900
        #expect(settings.values.isEmpty && settings["cutoff"] == nil)
    }
}

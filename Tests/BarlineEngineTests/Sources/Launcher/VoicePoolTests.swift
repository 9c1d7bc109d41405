import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Voices come from a pool made at the start; running out is reported, and what plays plays on.
@Suite("Voice pool")
struct VoicePoolTests {
    private func engine(voices: Int, tracks: Int) throws -> (Engine, [ClipHandle]) {
        let engine = Engine(
            EngineConfiguration(
                trackCount: tracks, voiceCount: voices, launchQuantization: .none, firstLaunch: .immediate))
        let clips = try (0..<tracks).map { track in
            let buffer = SampleBuffer(left: [Float](repeating: Float(1 << track), count: 64), sampleRate: .standard)
            return try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(track), beats: nil))
        }
        return (engine, clips)
    }

    @Test("One clip too many is an event, and the others play on")
    func exhaustion() throws {
        let (engine, clips) = try engine(voices: 2, tracks: 3)
        for (index, clip) in clips.enumerated() { try engine.launcher.launch(clip, at: FrameTime(Int64(100 * index))) }
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(2_000)
        let exhausted = recorder.events.compactMap(Happening.init).filter { $0.kind == .exhausted(clip: 2) }
        #expect(exhausted.map(\.frame) == [200])
        #expect(recorder.left()[150..<2_000].allSatisfy { $0 == 3 })
        #expect(engine.state.tracks[2].playing == nil)
        #expect(engine.state.voicesInUse == 2)
    }

    @Test("A retrigger without a free voice leaves the clip playing")
    func retriggerWithoutVoice() throws {
        let (engine, clips) = try engine(voices: 1, tracks: 1)
        try engine.launcher.launch(clips[0], at: FrameTime.zero)
        try engine.launcher.launch(clips[0], at: FrameTime(1_000))
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(2_000)
        #expect(
            recorder.events.contains {
                $0.kind == .launcher(.voicesExhausted(clip: clips[0], track: TrackIndex(0)))
            })
        #expect(recorder.left()[24...].allSatisfy { $0 == 1 })
        #expect(engine.state.tracks[0].playing?.clip == clips[0])
    }

    @Test("A voice is free again when its fade is over")
    func voicesComeBack() throws {
        let (engine, clips) = try engine(voices: 1, tracks: 2)
        try engine.launcher.launch(clips[0], at: FrameTime.zero)
        try engine.launcher.stopNow(TrackIndex(0), at: FrameTime(1_000))
        try engine.launcher.launch(clips[1], at: FrameTime(1_239))
        try engine.launcher.launch(clips[1], at: FrameTime(1_240))
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(2_000)
        let track = recorder.events.compactMap(Happening.init).filter { $0.lane == 1 }
        #expect(track.prefix(2).map(\.kind) == [.exhausted(clip: 1), .started(clip: 1)])
        #expect(track.prefix(2).map(\.frame) == [1_239, 1_240])
    }

    @Test("Replacing without a free voice fades the clip out")
    func replaceWithoutVoice() throws {
        let (engine, clips) = try engine(voices: 1, tracks: 1)
        try engine.launcher.launch(clips[0], at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(1_000)
        let buffer = SampleBuffer(left: [0.5], sampleRate: .standard)
        try engine.launcher.replace(clips[0], with: buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil))
        recorder.render(1_000)
        #expect(
            recorder.events.compactMap(Happening.init).contains { $0.kind == .stopped(clip: 0) && $0.frame == 1_000 })
        #expect(recorder.left()[1_240] == 0)
        try engine.launcher.launch(clips[0])
    }

    @Test("A thousand retriggers in a row use no more than the pool")
    func manyRetriggers() throws {
        let (engine, clips) = try engine(voices: 8, tracks: 1)
        for frame in 0..<1_000 { try engine.launcher.launch(clips[0], at: FrameTime(Int64(frame * 3))) }
        let recorder = Recorder(engine, frames: 4_000)
        recorder.render(4_000, .fixed(64))
        #expect(
            recorder.events.contains {
                $0.kind == .launcher(.voicesExhausted(clip: clips[0], track: TrackIndex(0)))
            })
        #expect(engine.state.voicesInUse == 1)
        #expect(recorder.left()[3_999] == 1)
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Clips come and go while others play, and their memory goes with them.
@Suite("Loading, replacing and unloading")
struct ClipLifecycleTests {
    private let settings = ClipSettings(track: TrackIndex(0), beats: nil)

    private func engine(_ change: (inout EngineConfiguration) -> Void = { _ in }) -> Engine {
        var configuration = EngineConfiguration(
            trackCount: 2, clipCapacity: 4, launchQuantization: .none, firstLaunch: .immediate)
        change(&configuration)
        return Engine(configuration)
    }

    private func buffer(_ value: Float = 1) -> SampleBuffer {
        SampleBuffer(left: [Float](repeating: value, count: 512), sampleRate: .standard)
    }

    @Test("The samples of an unloaded clip are freed once its fade is over")
    func unloadFrees() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 4_000)
        weak var samples: SampleBuffer?
        let clip: ClipHandle
        do {
            let buffer = buffer()
            samples = buffer
            clip = try engine.launcher.load(buffer, settings: settings)
        }
        try engine.launcher.launch(clip)
        recorder.render(1_000)
        #expect(samples != nil)
        try engine.launcher.unload(clip)
        recorder.render(100)
        try engine.launcher.stopAll()
        #expect(samples != nil, "the clip still fades out")
        recorder.render(1_000)
        try engine.launcher.stopAll()
        #expect(samples == nil)
        #expect(recorder.left()[1_999] == 0)
        #expect(engine.launcher.settings(of: clip) == nil)
        #expect(throws: EngineError.unknownClip(clip)) { try engine.launcher.launch(clip) }
    }

    @Test("The samples of a replaced clip are freed, and the new ones play")
    func replaceFrees() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 4_000)
        weak var samples: SampleBuffer?
        let clip: ClipHandle
        do {
            let buffer = buffer(1)
            samples = buffer
            clip = try engine.launcher.load(buffer, settings: settings)
        }
        try engine.launcher.launch(clip)
        recorder.render(1_000)
        try engine.launcher.replace(clip, with: buffer(0.5), settings: settings)
        recorder.render(1_000)
        try engine.launcher.stopAll()
        #expect(samples == nil)
        #expect(recorder.left()[999] == 1)
        #expect(recorder.left()[1_999] == 0.5)
        let kinds = recorder.events.compactMap(Happening.init).map(\.kind)
        #expect(!kinds.contains(.stopped(clip: 0)))
    }

    @Test(
        "A loop whose content is replaced around a turn reports each turn once, on its frame",
        arguments: [-1, 0, 1], [BlockPlan.fixed(1), .fixed(64), .fixed(4_096)])
    func replacedOnATurn(distance: Int, plan: BlockPlan) throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 3_000)
        let clip = try engine.launcher.load(buffer(), settings: settings)
        try engine.launcher.launch(clip)
        for turn in [1, 2, 4] {
            try engine.launcher.replace(
                clip, with: buffer(0.5), settings: settings, at: FrameTime(Int64(512 * turn + distance)))
        }
        recorder.render(3_000, plan)
        let turns = recorder.events.compactMap(Happening.init).compactMap { happening -> [Int]? in
            guard case .looped(_, let iteration) = happening.kind else { return nil }
            return [iteration, happening.frame]
        }
        #expect(turns == (1...5).map { [$0, 512 * $0] })
    }

    @Test("A clip at its own rate that takes over a position just past the boundary goes on where the other one is")
    func lateLegato() throws {
        let engine = engine { $0.launchQuantization = .bars(1) }
        let recorder = Recorder(engine, frames: 120_000)
        let ramp = SampleBuffer(left: (0..<150_000).map { Float($0) / 200_000 }, sampleRate: .standard)
        var settings = ClipSettings(track: TrackIndex(0), beats: nil)
        settings.playback = .original
        settings.startPosition = .legato
        let clips = [
            try engine.launcher.load(ramp, settings: settings), try engine.launcher.load(ramp, settings: settings),
        ]
        try engine.launcher.launch(clips[0])
        // 1,500 frames after a bar line of 96,000, of which 1,920 still count.
        try engine.launcher.launch(clips[1], at: FrameTime(97_500))
        recorder.render(120_000)
        let left = recorder.left()
        #expect(engine.state.tracks[0].playing?.clip == clips[1])
        for frame in [97_000, 98_000, 110_000] { #expect(abs(left[frame] - Float(frame) / 200_000) < 1e-5, "\(frame)") }
    }

    @Test("A launch that waits for a frame does not reach a clip that was loaded since")
    func waitingLaunch() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 4_000)
        let gone = try engine.launcher.load(buffer(), settings: settings)
        try engine.launcher.launch(gone, at: FrameTime(2_000))
        recorder.render(1_000)
        try engine.launcher.unload(gone)
        let other = try engine.launcher.load(buffer(0.5), settings: settings)
        recorder.render(2_000)
        #expect(recorder.left().allSatisfy { $0 == 0 })
        try engine.launcher.launch(other)
        recorder.render(1_000)
        #expect(recorder.left()[3_999] == 0.5)
    }

    @Test("An engine that goes away frees everything")
    func engineFrees() throws {
        weak var samples: SampleBuffer?
        weak var gone: Engine?
        do {
            let engine = engine()
            gone = engine
            let buffer = buffer()
            samples = buffer
            let clip = try engine.launcher.load(buffer, settings: settings)
            try engine.launcher.launch(clip)
            Recorder(engine, frames: 100).render(100)
        }
        #expect(gone == nil)
        #expect(samples == nil)
    }

    @Test("Thousands of clips come and go through a small table")
    func turnover() throws {
        let engine = engine { $0.commandCapacity = 16 }
        let recorder = Recorder(engine, frames: 400_000)
        var released: [() -> SampleBuffer?] = []
        for index in 0..<1_000 {
            let buffer = buffer(Float(index % 7))
            released.append { [weak buffer] in buffer }
            let clip = try engine.launcher.load(buffer, settings: settings)
            try engine.launcher.launch(clip)
            recorder.render(300, .fixed(64))
            try engine.launcher.unload(clip)
            recorder.render(64)
        }
        recorder.render(1_000)
        try engine.launcher.stopAll()
        #expect(released.allSatisfy { $0() == nil })
        #expect(engine.droppedEventCount == 0)
    }

    @Test("Unloading the clip that plays leaves the launch of another one queued")
    func unloadKeepsTheQueue() throws {
        let engine = engine { $0.launchQuantization = .bars(1) }
        let clips = [
            try engine.launcher.load(buffer(1), settings: settings),
            try engine.launcher.load(buffer(0.5), settings: settings),
        ]
        let recorder = Recorder(engine, frames: 100_000)
        try engine.launcher.launch(clips[0])
        recorder.render(1_000)
        try engine.launcher.launch(clips[1], at: FrameTime(10_000))
        recorder.render(19_000)
        try engine.launcher.unload(clips[0])
        recorder.render(80_000)
        let happenings = recorder.events.compactMap(Happening.init).filter { $0.lane == 0 }
        #expect(happenings.contains { $0.kind == .stopped(clip: 0) && $0.frame == 20_000 })
        #expect(happenings.contains { $0.kind == .started(clip: 1) && $0.frame == 96_000 })
    }

    @Test("Unloading a queued clip cancels its launch")
    func unloadCancels() throws {
        let engine = engine { $0.launchQuantization = .bars(1) }
        let clip = try engine.launcher.load(buffer(), settings: settings)
        let recorder = Recorder(engine, frames: 100_000)
        try engine.transport.start()
        recorder.render(5_000)
        try engine.launcher.launch(clip)
        recorder.render(5_000)
        #expect(engine.state.tracks[0].queued?.clip == clip)
        try engine.launcher.unload(clip)
        recorder.render(90_000)
        #expect(engine.state.tracks[0].queued == nil)
        #expect(recorder.left().allSatisfy { $0 == 0 })
    }

    @Test("A queued clip that moves to another track is not launched on the old one")
    func moveWhileQueued() throws {
        let engine = engine { $0.launchQuantization = .bars(1) }
        let clip = try engine.launcher.load(buffer(), settings: settings)
        let recorder = Recorder(engine, frames: 100_000)
        try engine.transport.start()
        recorder.render(5_000)
        try engine.launcher.launch(clip)
        recorder.render(5_000)
        try engine.launcher.replace(clip, with: buffer(), settings: ClipSettings(track: TrackIndex(1), beats: nil))
        recorder.render(90_000)
        #expect(engine.state.tracks[0].playing == nil)
        #expect(recorder.left().allSatisfy { $0 == 0 })
        try engine.launcher.launch(clip, at: FrameTime(100_000))
    }
}

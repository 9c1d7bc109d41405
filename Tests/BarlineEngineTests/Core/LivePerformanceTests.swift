import BarlineEngine
import BarlineTime
import Testing

/// Commands that arrive while the engine plays: for the next block, for later, and too late.
@Suite("Commands of a live performance")
struct LivePerformanceTests {
    @Test("Random live commands, early and late, take effect on the model's frames", arguments: UInt64(1)...40)
    func liveCommands(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        // The steps of a random script, sent at random times.
        let source = RandomScript.make(seed: 1_000 + seed, rate: 48_000, seconds: 10)
        let engine = Engine(source.setup.configuration)
        let clips = try source.setup.clips.map {
            try engine.launcher.load(Quadrature.buffer($0), settings: Quadrature.settings($0))
        }
        let model = ReferenceLauncher(source.setup)
        let recorder = Recorder(engine, frames: source.length)
        var log: [String] = []
        var steps = source.steps[...]
        while recorder.frames < source.length {
            let now = recorder.frames
            while let step = steps.first, step.frame <= now {
                steps.removeFirst()
                let frame: Int? =
                    switch random.int(0...3) {
                    case 0: nil
                    case 1: max(0, now - random.int(0...30_000))
                    case 2: now
                    default: now + random.int(0...30_000)
                    }
                log.append("\(now): \(step.step) at \(frame.map { "\($0)" } ?? "next block")")
                try step.step.send(to: engine, clips: clips, at: frame)
                model.give(step.step, at: frame ?? now)
            }
            let count = min(source.length - now, random.int(1...4_000))
            recorder.render(count, .fixed(count))
            model.advance(to: recorder.frames)
        }
        if let difference = Script.difference(recorder.events, model) {
            Issue.record("\(difference)\nseed \(seed), \(source.setup)\n\(log.joined(separator: "\n"))")
        }
    }

    @Test("A command for a past frame is reported late and takes effect in phase, faded in")
    func lateLaunchIsInPhase() throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let plan = ClipPlan(frames: 24_000, beats: 1, amplitude: 0.8)
        let clip = try engine.launcher.load(Quadrature.buffer(plan), settings: Quadrature.settings(plan))
        let recorder = Recorder(engine, frames: 20_000)
        try engine.transport.start(at: FrameTime.zero)
        recorder.render(10_000)
        let id = try engine.launcher.launch(clip, at: FrameTime(4_000))
        recorder.render(10_000)
        #expect(recorder.events.contains(where: { $0.kind == .commandLate(id, frames: 6_000) }))
        let start = recorder.events.compactMap(Happening.init).first { $0.kind == .started(clip: 0) }
        #expect(start?.frame == 10_000)
        #expect(abs((start?.value ?? 0) - 6_000) < 1e-6)
        #expect(recorder.left()[10_000] == 0 && recorder.right()[10_000] == 0)
        let heard = Quadrature.decode(recorder.left()[10_300], recorder.right()[10_300], length: 24_000)
        #expect(abs(heard.position - 6_300) < 0.01)
        #expect(abs(heard.amplitude - 0.8) < 1e-4)
        let halfway = Quadrature.decode(recorder.left()[10_120], recorder.right()[10_120], length: 24_000)
        #expect(abs(halfway.amplitude - 0.4) < 1e-4)
    }

    @Test("A late launch does not overtake the loading of its clip")
    func lateLaunchAfterLoad() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none))
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(1_000)
        let clip = try engine.launcher.load(Quadrature.buffer(ClipPlan()), settings: Quadrature.settings(ClipPlan()))
        try engine.launcher.launch(clip, at: FrameTime(10))
        recorder.render(1_000)
        #expect(
            recorder.events.compactMap(Happening.init).contains { $0.kind == .started(clip: 0) && $0.frame == 1_000 })
    }

    @Test("A late launch for before the roll starts at the origin with the one that set the transport rolling")
    func lateLaunchBeforeTheRoll() throws {
        let setup = Setup(clips: [ClipPlan(track: 0), ClipPlan(track: 1, grid: .note(1, 4))])
        let engine = Engine(setup.configuration)
        let clips = try setup.clips.map {
            try engine.launcher.load(Quadrature.buffer($0), settings: Quadrature.settings($0))
        }
        let recorder = Recorder(engine, frames: 120_000)
        recorder.render(1_000)
        try engine.launcher.launch(clips[0], at: FrameTime(500))
        try engine.launcher.launch(clips[1], at: FrameTime(400))
        recorder.render(119_000)
        let starts = recorder.events.compactMap(Happening.init).filter { $0.lane >= 0 }.prefix(2)
        #expect(starts.map(\.kind) == [.started(clip: 0), .started(clip: 1)])
        #expect(starts.map(\.frame) == [96_500, 96_500])
    }

    @Test("A command without a frame says when it took effect")
    func takenCommandsAreReported() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 200)
        recorder.render(100)
        let id = try engine.transport.start()
        recorder.render(100)
        #expect(recorder.events.first?.kind == .commandTaken(id))
        #expect(recorder.events.first?.frame == FrameTime(100))
    }
}

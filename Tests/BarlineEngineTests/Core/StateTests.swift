import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// What a display reads, against the model.
@Suite("State")
struct StateTests {
    @Test("Status, progress and position are the model's at any moment", arguments: UInt64(301)...315)
    func stateFollowsTheModel(seed: UInt64) throws {
        let script = RandomScript.make(seed: seed, rate: 48_000, seconds: 8)
        let engine = try script.engine()
        let model = ReferenceLauncher(script.setup)
        for (frame, step) in script.steps { model.give(step, at: frame) }
        let recorder = Recorder(engine, frames: script.length)
        var random = TestRandom(seed: seed)
        while recorder.frames < script.length {
            recorder.render(min(script.length - recorder.frames, random.int(1...9_000)), .mixed(seed: random.next()))
            model.advance(to: recorder.frames)
            if let fault = fault(engine.state, model, script) {
                Issue.record("frame \(recorder.frames): \(fault)\n\(script)")
                return
            }
        }
    }

    private func fault(_ state: EngineState, _ model: ReferenceLauncher, _ script: Script) -> String? {
        let now = model.now
        guard state.frame.rawValue == Int64(now) else { return "the state is of \(state.frame)" }
        guard state.transport.isRolling == model.isRolling else { return "rolling: \(state.transport.isRolling)" }
        if abs(state.transport.tempo.beatsPerMinute - model.tempo.tempo(at: now)) > 1e-6 { return "\(state.transport)" }
        if model.isRolling {
            let beat = model.tempo.beat(at: now)
            if abs(state.transport.beat.rawValue - beat) > 1e-9 { return "\(state.transport), model \(beat)" }
            let bar = model.bars.bar(at: beat + 1e-9)
            let metre = model.bars.metre(ofBar: bar.index)
            let pulse = Int(bar.fraction * metre.bar / metre.pulse)
            if state.transport.bar != bar.index + 1 || state.transport.pulse != pulse + 1 {
                return "\(state.transport), model bar \(bar)"
            }
        }
        for (lane, expected) in model.lanes.enumerated() {
            if let fault = fault(state.tracks[lane], expected, model) { return "track \(lane): \(fault)" }
        }
        return nil
    }

    private func fault(
        _ track: EngineState.Track, _ lane: ReferenceLauncher.Lane, _ model: ReferenceLauncher
    ) -> String? {
        let due = lane.waiting.map { model.frame(of: $0) - model.now }
        let request: Int? =
            if case .launch(let clip) = lane.waiting?.request { clip } else { nil }
        if track.queued?.framesLeft != due.map(Int64.init) || track.queued?.clip?.rawValue != request {
            return
                "queued \(String(describing: track.queued)), model \(String(describing: lane.waiting)) in \(due ?? 0)"
        }
        guard track.playing?.clip.rawValue == lane.playing?.clip else { return "\(String(describing: track.playing))" }
        guard let playing = track.playing, let expected = lane.playing else { return nil }
        let clip = model.clips[expected.clip]
        let position = model.position(model.takes[expected.take], at: model.now)
        let error =
            clip.loops
            ? Quadrature.distance(playing.sourceFrame, position, length: clip.length)
            : abs(playing.sourceFrame - position)
        // A wrap is rounded to a frame: within it the iteration counts already, or not yet.
        if error > 1e-3 || playing.iteration != expected.iteration {
            return "\(playing), model \(position), iteration \(expected.iteration)"
        }
        let share = max(0, playing.sourceFrame) / clip.length
        return abs(playing.progress - share) > 1e-9 ? "progress \(playing.progress)" : nil
    }

    @Test("A clip is stopped, queued, playing and stopping in turn")
    func statusInTurn() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let buffer = SampleBuffer(left: [Float](repeating: 0, count: 96_000), sampleRate: .standard)
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 4))
        let recorder = Recorder(engine, frames: 400_000)
        func status() -> EngineState.ClipStatus { engine.state.status(of: clip, on: TrackIndex(0)) }
        #expect(status() == .stopped)
        try engine.launcher.launch(clip)
        recorder.render(1_000)
        #expect(status() == .queued(framesLeft: 95_000))
        recorder.render(95_000)
        #expect(status() == .queued(framesLeft: 0))
        recorder.render(24_000)
        #expect(status() == .playing(progress: 0.25))
        try engine.launcher.stop(TrackIndex(0))
        recorder.render(24_000)
        #expect(status() == .stopping(progress: 0.5, framesLeft: 48_000))
        recorder.render(48_001)
        #expect(status() == .stopped)
        #expect(engine.state.voicesInUse == 1)
        recorder.render(1_000)
        #expect(engine.state.voicesInUse == 0)
    }

    @Test("The song position is relocated and looped, launches are not")
    func songPosition() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 400_000)
        try engine.transport.start(at: FrameTime.zero)
        try engine.transport.relocate(to: Beat(32), at: FrameTime(24_000))
        recorder.render(48_000)
        #expect(engine.state.transport.beat == Beat(2))
        #expect(engine.state.transport.songPosition == Beat(33))
        try engine.transport.setLoop(from: Beat(32), length: 2)
        recorder.render(36_000)
        #expect(engine.state.transport.beat == Beat(3.5))
        #expect(engine.state.transport.songPosition == Beat(32.5))
    }

    @Test("A song begins at the bar to which it was moved while the transport stood, and loops whole bars")
    func songBars() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, timeSignature: TimeSignature(3, 4) ?? .common))
        let recorder = Recorder(engine, frames: 1_000_000)
        try engine.transport.relocate(toBar: 5)
        try engine.transport.setLoop(fromBar: 5, bars: 2, isOn: false)
        recorder.render(100)
        #expect(engine.state.transport.songPosition == Beat(12))
        let loop = try #require(engine.state.transport.songLoop)
        #expect(loop.start == Beat(12) && loop.length == 6 && !loop.isOn)
        try engine.transport.start(at: FrameTime(100))
        try engine.transport.setLooping(true)
        recorder.render(24_000 * 7)
        #expect(engine.state.transport.beat == Beat(7) && engine.state.transport.songPosition == Beat(13))
        try engine.transport.setLooping(false)
        recorder.render(24_000 * 6)
        #expect(engine.state.transport.songPosition == Beat(19))
        #expect(engine.state.transport.songLoop?.isOn == false)
        try engine.transport.stop()
        recorder.render(100)
        #expect(engine.state.transport.songPosition == Beat(12))
        try engine.transport.setLoop(from: Beat(0), length: 0)
        recorder.render(100)
        #expect(engine.state.transport.songLoop == nil)
    }

    @Test("Songs are moved and looped within bounds only")
    func songBounds() {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        #expect(throws: EngineError.self) { try engine.transport.relocate(toBar: 20_000_000) }
        #expect(throws: EngineError.self) { try engine.transport.setLoop(fromBar: 1, bars: 0) }
        #expect(throws: EngineError.self) { try engine.transport.setLoop(from: Beat(0), length: -1) }
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// A clip whose first beat is later than its first frame is at that beat on the boundary, and goes around as ever.
@Suite("Clips that are cut off the beat")
struct FirstBeatTests {
    private static let length = 40_000.0

    private func clip(_ start: StartPosition, beats: Double) -> ClipPlan {
        var clip = ClipPlan(frames: Int(FirstBeatTests.length), beats: beats)
        clip.start = start
        return clip
    }

    private func load(_ plan: ClipPlan, firstBeat: Double, into engine: Engine) throws -> ClipHandle {
        var settings = Quadrature.settings(plan)
        settings.firstBeat = firstBeat
        return try engine.launcher.load(try Quadrature.buffer(plan), settings: settings)
    }

    private func engine(tempo: Double = 133) -> Engine {
        var setup = Setup()
        setup.tempo = tempo
        return Engine(setup.configuration)
    }

    /// That a track's loop is `firstBeat` beats into itself at beat `origin`, and its whole cycles before and after it.
    private func expect(
        _ recorder: Recorder, track: Int = 0, frames: Range<Int>, _ tempo: ReferenceTempo, beats: Double,
        origin: Double,
        firstBeat: Double
    ) {
        let wrong = stride(from: frames.lowerBound, to: frames.upperBound, by: 97).first { frame in
            let cycles = (tempo.beat(at: frame) - origin + firstBeat) / beats
            let heard = Quadrature.decode(
                recorder.left(track: track)[frame], recorder.right(track: track)[frame], length: FirstBeatTests.length)
            return Quadrature.distance(heard.position, cycles * FirstBeatTests.length, length: FirstBeatTests.length)
                > 0.01
        }
        #expect(wrong == nil)
    }

    @Test("On the boundary it is whole and at its first beat, through a tempo change", arguments: [0.63, 2.5, 3.999])
    func launch(firstBeat: Double) throws {
        let engine = engine()
        let handle = try load(clip(.fromStart, beats: 4), firstBeat: firstBeat, into: engine)
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(handle, at: FrameTime(100_000))
        try engine.transport.setTempo(Tempo(clamping: 97), overBeats: 3, at: FrameTime(300_000))
        let recorder = Recorder(engine, frames: 600_000, keepsTracks: true)
        recorder.render(600_000, .mixed(seed: 3))
        var tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        tempo.change(at: 300_000, to: 97, ramp: 3)
        let launched = (tempo.beat(at: 100_000) / 4).rounded(.up) * 4
        let start = tempo.frame(of: launched)
        expect(recorder, frames: start..<600_000, tempo, beats: 4, origin: launched, firstBeat: firstBeat)
        let first = Quadrature.decode(
            recorder.left(track: 0)[start], recorder.right(track: 0)[start], length: FirstBeatTests.length)
        #expect(abs(first.amplitude - 0.5) < 1e-3, "the first beat's attack is not faded in")
        let started = recorder.events.compactMap { event -> Double? in
            guard case .launcher(.started(_, _, _, let sourceFrame)) = event.kind else { return nil }
            return sourceFrame
        }
        #expect(started.count == 1)
        #expect(abs((started.first ?? 0) - firstBeat / 4 * FirstBeatTests.length) < 1)
    }

    @Test("In step with the grid's origin its first beats are on the grid")
    func synced() throws {
        let engine = engine()
        let handle = try load(clip(.synced, beats: 7), firstBeat: 1.4, into: engine)
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(handle, at: FrameTime(100_000))
        let recorder = Recorder(engine, frames: 400_000, keepsTracks: true)
        recorder.render(400_000)
        let tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        let start = tempo.frame(of: (tempo.beat(at: 100_000) / 4).rounded(.up) * 4)
        expect(recorder, frames: (start + 480)..<400_000, tempo, beats: 7, origin: 0, firstBeat: 1.4)
    }

    @Test("A clip that takes over a position takes over the beat, whatever each one's first is")
    func legato() throws {
        let engine = engine()
        let first = try load(clip(.fromStart, beats: 8), firstBeat: 1.25, into: engine)
        let second = try load(clip(.legato, beats: 8), firstBeat: 0.5, into: engine)
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(first, at: FrameTime(10_000))
        try engine.launcher.launch(second, at: FrameTime(150_000))
        let recorder = Recorder(engine, frames: 400_000, keepsTracks: true)
        recorder.render(400_000, .mixed(seed: 8))
        let tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        let origin = 4.0
        let handover = tempo.frame(of: (tempo.beat(at: 150_000) / 4).rounded(.up) * 4)
        expect(
            recorder, frames: tempo.frame(of: origin)..<handover, tempo, beats: 8, origin: origin, firstBeat: 1.25)
        expect(recorder, frames: (handover + 480)..<400_000, tempo, beats: 8, origin: origin, firstBeat: 0.5)
    }

    @Test("Given another first beat while it plays, it is where it would be had it had that one at its launch")
    func moved() throws {
        let engine = engine()
        let plan = clip(.fromStart, beats: 4)
        let handle = try load(plan, firstBeat: 0, into: engine)
        var settings = Quadrature.settings(plan)
        settings.firstBeat = 2.75
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(handle, at: FrameTime(10_000))
        try engine.launcher.replace(
            handle, with: try Quadrature.buffer(plan), settings: settings, at: FrameTime(200_003))
        let recorder = Recorder(engine, frames: 400_000, keepsTracks: true)
        recorder.render(400_000, .mixed(seed: 21))
        let tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        expect(recorder, frames: tempo.frame(of: 4)..<200_003, tempo, beats: 4, origin: 4, firstBeat: 0)
        expect(recorder, frames: 200_480..<400_000, tempo, beats: 4, origin: 4, firstBeat: 2.75)
    }

    @Test("A first beat outside the loop is refused", arguments: [-0.1, 4.1, .nan, .infinity])
    func refused(firstBeat: Double) throws {
        let plan = clip(.fromStart, beats: 4)
        let engine = engine()
        #expect(throws: EngineError.self) { try self.load(plan, firstBeat: firstBeat, into: engine) }
    }
}

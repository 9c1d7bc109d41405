import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// A synced clip is where it would be if it had run since the grid's origin, whatever its length.
@Suite("Synced clips")
struct SyncedStartTests {
    private func setup(_ clips: [ClipPlan]) -> Setup {
        var setup = Setup()
        setup.tempo = 133
        setup.clips = clips
        return setup
    }

    private func clip(_ start: StartPosition, beats: Double, frames: Int = 40_000, track: Int = 0) -> ClipPlan {
        var clip = ClipPlan(frames: frames, beats: beats)
        clip.start = start
        clip.track = track
        return clip
    }

    /// Where on the grid each track's loop is at `frame`, from the samples.
    private func expect(
        _ recorder: Recorder, track: Int, frames: Range<Int>, _ tempo: ReferenceTempo, beats: Double, origin: Double,
        length: Double = 40_000
    ) {
        let wrong = stride(from: frames.lowerBound, to: frames.upperBound, by: 97).first { frame in
            let cycles = (tempo.beat(at: frame) - origin) / beats
            let heard = Quadrature.decode(
                recorder.left(track: track)[frame], recorder.right(track: track)[frame], length: length)
            return Quadrature.distance(heard.position, cycles * length, length: length) > 0.01
        }
        #expect(wrong == nil)
    }

    @Test("Loops of 7, 5 and 32 beats against bars of 4, launched anywhere, through tempo changes")
    func oddLengths() throws {
        let lengths = [7.0, 5, 32]
        let setup = setup(lengths.enumerated().map { clip(.synced, beats: $1, track: $0) })
        let script = Script(
            setup: setup,
            steps: [
                (0, .launch(0)), (130_000, .launch(1)), (300_000, .tempo(97.3, ramp: 3)), (410_000, .launch(2)),
                (500_000, .tempo(171, ramp: 0)), (600_000, .launch(0)),
            ], length: 900_000)
        let recorder = Recorder(try script.engine(), frames: 900_000, keepsTracks: true)
        recorder.render(900_000, .mixed(seed: 5))
        let model = script.model()
        for track in 0..<3 {
            let start = try #require(model.takes.last { $0.lane == track }).start
            expect(
                recorder, track: track, frames: (start + 480)..<900_000, model.tempo, beats: lengths[track], origin: 0)
        }
        // A bar of 4 is no multiple of 7 beats: the loop did not begin at its beginning.
        let last = try #require(model.takes.last { $0.lane == 0 })
        let beat = model.tempo.beat(at: last.start)
        #expect((beat / 7 - (beat / 7).rounded()).magnitude > 0.05)
    }

    @Test("A clip that is longer than the session is where it would be, and one that is over is silent")
    func longClips() throws {
        var once = clip(.synced, beats: 6, track: 1)
        once.loops = false
        let script = Script(
            setup: setup([clip(.synced, beats: 400, frames: 400_000), once]),
            steps: [(0, .startTransport), (250_000, .launch(0)), (250_000, .launch(1))], length: 500_000)
        let recorder = Recorder(try script.engine(), frames: 500_000, keepsTracks: true)
        recorder.render(500_000)
        let model = script.model()
        let start = try #require(model.takes.first).start
        expect(
            recorder, track: 0, frames: (start + 480)..<500_000, model.tempo, beats: 400, origin: 0, length: 400_000)
        #expect(recorder.left(track: 1).allSatisfy { $0 == 0 })
    }

    @Test(
        "Switching while a clip plays moves its origin to the grid's, and back to its launch",
        arguments: [4.0, 7], [0.0, 3])
    func switching(beats: Double, ramp: Double) throws {
        let plan = clip(.fromStart, beats: beats)
        let setup = setup([plan])
        let engine = Engine(setup.configuration)
        let handle = try engine.launcher.load(try Quadrature.buffer(plan), settings: Quadrature.settings(plan))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(handle, at: FrameTime(100_000))
        try engine.launcher.setStartPosition(.synced, of: handle, at: FrameTime(300_001))
        try engine.transport.setTempo(Tempo(clamping: 151), overBeats: ramp, at: FrameTime(400_000))
        try engine.launcher.setStartPosition(.fromStart, of: handle, at: FrameTime(500_007))
        try engine.launcher.setStartPosition(.legato, of: handle, at: FrameTime(600_011))
        let recorder = Recorder(engine, frames: 700_000, keepsTracks: true)
        recorder.render(700_000, .mixed(seed: 11))
        var tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        tempo.change(at: 400_000, to: 151, ramp: ramp)
        let launched = (tempo.beat(at: 100_000) / 4).rounded(.up) * 4
        let start = tempo.frame(of: launched)
        for (frames, origin) in [
            (start..<300_001, launched), (300_241..<500_007, 0), (500_247..<600_011, launched),
            (600_251..<700_000, launched),
        ] {
            expect(recorder, track: 0, frames: frames, tempo, beats: beats, origin: origin)
        }
        // Across the crossfades no step is larger than the wave's own and the two ramps'.
        let wave = 0.5 * 2 * Double.pi / 40_000 * 3
        let steps = (1..<700_000).map { abs(Double(recorder.left()[$0] - recorder.left()[$0 - 1])) }
        #expect((steps[(start + 1)...].max() ?? 1) < wave + 2 * 0.5 / 240 + 1e-5)
    }

    @Test("A clip at its own rate goes back to the boundary on which it was launched, too")
    func unsynced() throws {
        var plan = clip(.fromStart, beats: 4)
        plan.beats = nil
        let setup = setup([plan])
        let engine = Engine(setup.configuration)
        let handle = try engine.launcher.load(try Quadrature.buffer(plan), settings: Quadrature.settings(plan))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(handle, at: FrameTime(100_000))
        try engine.launcher.setStartPosition(.synced, of: handle, at: FrameTime(200_000))
        try engine.launcher.setStartPosition(.fromStart, of: handle, at: FrameTime(300_000))
        let recorder = Recorder(engine, frames: 400_000, keepsTracks: true)
        recorder.render(400_000)
        let boundary = 8 * 60 * 48_000 / 133.0
        for (frame, origin) in [(190_000, boundary), (290_000, 0), (390_000, boundary)] {
            let heard = Quadrature.decode(
                recorder.left(track: 0)[frame], recorder.right(track: 0)[frame], length: 40_000)
            #expect(Quadrature.distance(heard.position, Double(frame) - origin, length: 40_000) < 0.01)
        }
    }
}

import BarlineEngine
import BarlineTime
import Testing

/// A device may change its rate at any time: beat and phase stay.
@Suite("Changes of sample rate")
struct SampleRateTests {
    @Test("Beat, boundaries and phase are kept, also in a ramp", arguments: [44_100.0, 96_000, 8_000, 192_000])
    func keepsBeatAndPhase(rate: Double) throws {
        var setup = Setup(trackCount: 2, tempo: 133, startsAtOnce: true)
        setup.clips = [
            ClipPlan(track: 0, frames: 30_000, sourceRate: 44_100, beats: 3),
            ClipPlan(track: 1, frames: 20_000, beats: 1.7, grid: .note(1, 4)),
        ]
        let steps: [(frame: Int, step: Step)] = [
            (0, .launch(0)), (30_000, .launch(1)), (60_000, .tempo(180, ramp: 6)), (100_000, .stop(1)),
            (110_000, .launch(1)),
        ]
        let script = Script(setup: setup, steps: steps, length: 300_000)
        let engine = try script.engine()
        let model = ReferenceLauncher(setup)
        for (frame, step) in steps { model.give(step, at: frame) }
        let recorder = Recorder(engine, frames: script.length, keepsTracks: true)
        for (change, to) in [(70_001, rate), (200_003, 48_000)] {
            recorder.render(change - recorder.frames, .mixed(seed: 1))
            model.advance(to: change)
            engine.setSampleRate(try #require(SampleRate(to)))
            model.changeRate(to: to)
        }
        recorder.render(script.length - recorder.frames, .mixed(seed: 2))
        model.advance(to: script.length)
        #expect(Script.difference(recorder.events, model) == nil)
        // Fades are at most 5 ms at the highest rate.
        for take in model.takes {
            let clip = setup.clips[take.clip]
            let left = recorder.left(track: take.lane)
            let right = recorder.right(track: take.lane)
            for frame in stride(from: take.start + 960, to: take.stop ?? script.length, by: 11) {
                // The next start comes in while this one still plays.
                if model.leads.contains(where: { $0.lane == take.lane && frame >= $0.first && frame < $0.due }) {
                    continue
                }
                let heard = Quadrature.decode(left[frame], right[frame], length: clip.length)
                let error = Quadrature.distance(heard.position, model.position(take, at: frame), length: clip.length)
                if error > 0.01 {
                    Issue.record("frame \(frame): \(heard), model \(model.position(take, at: frame))")
                    return
                }
            }
        }
    }

    @Test("A clip that does not follow the tempo goes on where it was")
    func unsyncedGoesOn() throws {
        let setup = Setup(trackCount: 1, grid: .none, clips: [ClipPlan(frames: 30_000, beats: nil)])
        let engine = Engine(setup.configuration)
        let clip = try engine.launcher.load(
            Quadrature.buffer(setup.clips[0]), settings: Quadrature.settings(setup.clips[0]))
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 60_000)
        recorder.render(10_000)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        recorder.render(50_000)
        #expect(engine.state.sampleRate.hertz == 96_000)
        for frame in stride(from: 10_000, to: 60_000, by: 7) {
            let heard = Quadrature.decode(recorder.left()[frame], recorder.right()[frame], length: 30_000)
            let expected = 10_000 + Double(frame - 10_000) / 2
            #expect(Quadrature.distance(heard.position, expected, length: 30_000) < 0.01)
        }
        let wrap = recorder.events.compactMap(Happening.init).first { $0.kind == .looped(clip: 0, iteration: 1) }
        #expect(wrap?.frame == 50_000)
    }
}

import BarlineEngine
import BarlineTime
import Testing

/// The metronome against the model, through everything that changes tempo, metre and pattern at random.
@Suite("The metronome and the model")
struct MetronomeModelTests {
    private struct Take {
        let engine: Engine
        let model: ReferenceLauncher
        var plans: [ReferenceMetronome.Plan]
    }

    static let metres = [(4, 4), (3, 4), (7, 8), (5, 4), (6, 8), (2, 2), (11, 16)]

    private func take(seed: UInt64, rate: Double, length: Int) throws -> Take {
        var random = TestRandom(seed: seed)
        var setup = Setup(rate: rate)
        setup.tempo = random.double(40...300)
        let engine = Engine(setup.configuration)
        let model = ReferenceLauncher(setup)
        let start = random.int(0...2_000)
        var steps: [(frame: Int, step: Step)] = [(start, .startTransport)]
        var frame = start
        while frame < length {
            frame += random.int(1...9_000)
            if random.chance(0.5) {
                steps.append((frame, .tempo(random.double(20...999), ramp: random.pick([0, 0, 0.3, 2, 9]))))
            } else {
                let (numerator, denominator) = random.pick(MetronomeModelTests.metres)
                steps.append((frame, .metre(Metre(numerator: numerator, denominator: denominator))))
            }
        }
        for (frame, step) in steps {
            try step.send(to: engine, clips: [], at: frame)
            model.give(step, at: frame)
        }
        model.advance(to: length)
        var plans = [ReferenceMetronome.Plan(frame: 0)]
        try engine.metronome.setOn(true, at: FrameTime.zero)
        var changed = 0
        while changed < length {
            changed += random.int(100...30_000)
            var plan = ReferenceMetronome.Plan(frame: changed)
            plan.isOn = random.chance(0.8)
            plan.pattern = random.pick(["X", "X.x.", "x", "Xx.", "X..x..x"])
            plan.subdivision = random.int(1...4)
            plan.swing = random.double(0.5...0.75)
            plans.append(plan)
            try engine.metronome.change(
                isOn: plan.isOn, pattern: AccentPattern(plan.pattern), subdivision: plan.subdivision, swing: plan.swing,
                at: FrameTime(Int64(changed)))
        }
        return Take(engine: engine, model: model, plans: plans)
    }

    @Test("Every click is the closed form on the model's frame", arguments: 0..<24)
    func clicks(seed: Int) throws {
        let rate = [44_100.0, 48_000, 96_000][seed % 3]
        let length = Int(rate * 8)
        let take = try take(seed: UInt64(seed), rate: rate, length: length)
        let recorder = Recorder(take.engine, frames: length, keepsTracks: true)
        recorder.render(length, .mixed(seed: UInt64(seed)))
        let reference = ReferenceMetronome(tempo: take.model.tempo, bars: take.model.bars, rate: rate)
        let clicks = reference.clicks(before: length, take.plans)
        let expected = reference.sound(clicks, length: length)
        let wrong = (0..<length).first { abs(Double(recorder.metronome[$0]) - expected[$0]) > 1e-5 }
        #expect(wrong == nil)
        #expect(clicks.count > 10)
        // On the main bus, at unity gain, there is nothing else.
        #expect(zip(recorder.metronome, recorder.left()).allSatisfy { $0 == $1 })
    }

    @Test("The samples are the same for every block size", arguments: 30..<36)
    func blockSizes(seed: Int) throws {
        let length = 150_000
        func recorder(_ plan: BlockPlan) throws -> Recorder {
            let take = try take(seed: UInt64(seed), rate: 48_000, length: length)
            let recorder = Recorder(take.engine, frames: length, keepsTracks: true)
            recorder.render(length, plan)
            return recorder
        }
        let whole = try recorder(.fixed(length))
        for plan in [BlockPlan.fixed(1), .fixed(64), .fixed(8192), .mixed(seed: 4)] {
            #expect(try recorder(plan).isIdentical(to: whole), "\(plan)")
        }
    }

    @Test("The accent in the account of a beat follows the pattern")
    func accents() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, timeSignature: try #require(TimeSignature(5, 4))))
        try engine.metronome.change(pattern: "xX.", at: FrameTime.zero)
        try engine.transport.start(at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 48_000 * 5)
        recorder.render(48_000 * 5 - 1)
        let accents = recorder.events.compactMap { event -> Bool? in
            if case .metronome(.pulse(_, _, let isAccented)) = event.kind { return isAccented }
            return nil
        }
        #expect(accents == [false, true, false, false, true, false, true, false, false, true])
    }
}

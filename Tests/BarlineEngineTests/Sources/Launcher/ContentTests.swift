import BarlineEngine
import Testing

/// What sounds is right too: clips of one sine cycle left and cosine right tell, at every frame, which clip plays and
/// where it is.
@Suite("Content is in phase with the model")
struct ContentTests {
    @Test("Every frame outside fades is within 0.01 source frame of the model", arguments: [44_100.0, 48_000, 96_000])
    func everyFrameIsInPhase(rate: Double) throws {
        for seed in UInt64(101)...112 {
            let script = RandomScript.make(seed: seed, rate: rate, seconds: 10)
            let recorder = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
            recorder.render(script.length, .mixed(seed: seed))
            if let fault = PhaseCheck(script: script, recorder: recorder).firstFault() {
                Issue.record("\(fault)\n\(script)")
                return
            }
        }
    }

    @Test("Tempo ramps keep every clip in phase from end to end of the tempo range")
    func rampsKeepPhase() throws {
        var setup = Setup(rate: 48_000, trackCount: 3, tempo: 999, startsAtOnce: true)
        setup.clips = [
            ClipPlan(track: 0, frames: 48_000, beats: 8),
            ClipPlan(track: 1, frames: 9_600, sourceRate: 22_050, beats: 3),
            ClipPlan(track: 2, frames: 20_000, sourceRate: 96_000, beats: 2.0.squareRoot()),
        ]
        let steps: [(Int, Step)] = [
            (0, .scene([0, 1, 2], stopping: [], tempo: nil)), (10_001, .tempo(20, ramp: 32)),
            (300_000, .tempo(999, ramp: 4)), (500_000, .tempo(60, ramp: 0.01)), (560_000, .tempo(61, ramp: 1_000)),
        ]
        let script = Script(setup: setup, steps: steps.map { (frame: $0.0, step: $0.1) }, length: 700_000)
        let recorder = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
        recorder.render(script.length, .mixed(seed: 5))
        #expect(Script.difference(recorder.events, script.model()) == nil)
        #expect(PhaseCheck(script: script, recorder: recorder).firstFault() == nil)
    }
}

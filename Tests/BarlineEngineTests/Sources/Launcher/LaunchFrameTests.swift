import BarlineEngine
import Testing

/// Random performances against the model: what starts, loops and stops does so on the model's frame.
@Suite("Launch frames equal the model's")
struct LaunchFrameTests {
    @Test("Every event of a random performance is on the model's frame", arguments: [44_100.0, 48_000, 96_000])
    func eventsAreOnTheModelsFrames(rate: Double) throws {
        for seed in UInt64(1)...60 {
            let script = RandomScript.make(seed: seed, rate: rate, seconds: 12)
            let recorder = Recorder(try script.engine(), frames: script.length)
            recorder.render(script.length, .mixed(seed: seed))
            let difference = Script.difference(recorder.events, script.model())
            if let difference {
                Issue.record("\(difference)\n\(script)")
                return
            }
        }
    }
}

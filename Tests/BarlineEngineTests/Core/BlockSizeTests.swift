import BarlineEngine
import BarlineTime
import Testing

/// The device's block size never shows: not in a bit of the output, not in an event.
@Suite("Output does not depend on the block size")
struct BlockSizeTests {
    static let plans: [BlockPlan] = [
        .fixed(1), .fixed(17), .fixed(256), .fixed(1024), .fixed(8192), .mixed(seed: 1), .mixed(seed: 2),
    ]

    @Test("Random performances are bit-identical in all block sizes", arguments: [44_100.0, 48_000, 96_000])
    func performancesAreBitIdentical(rate: Double) throws {
        for seed in UInt64(201)...206 {
            let script = RandomScript.make(seed: seed, rate: rate, seconds: 6)
            let reference = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
            reference.render(script.length, .fixed(64))
            for plan in BlockSizeTests.plans {
                let recorder = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
                recorder.render(script.length, plan)
                if !recorder.isIdentical(to: reference) {
                    Issue.record("\(plan) differ from blocks of 64\n\(script)")
                    return
                }
            }
        }
    }

    @Test("A block of no frames changes nothing, and what was sent is taken with the next one that has some")
    func emptyBlocks() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 100)
        let id = try engine.transport.start()
        recorder.render(0)
        #expect(recorder.events.isEmpty)
        #expect(engine.state.frame == .zero)
        recorder.render(100)
        #expect(recorder.events.map(\.kind).prefix(2) == [.commandTaken(id), .transport(.started(beat: .zero))])
    }
}

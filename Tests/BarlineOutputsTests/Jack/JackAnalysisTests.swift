import BarlineAnalysis
import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// Loops are listened to while others play.
    @Suite("Analysis beside a real JACK server", .timeLimit(.minutes(10)))
    struct JackAnalysisTests {
        /// A loop of a second in which something begins four times, at places that the seed chooses.
        private static func loop(seed: UInt64) -> SampleBuffer {
            var random = TestRandom(seed: seed)
            var samples = [Float](repeating: 0, count: 48_000)
            for hit in 0..<4 {
                let start = hit * 12_000 + Int(abs(random.amplitude()) * 300)
                for frame in 0..<4_000 {
                    samples[start + frame] += Float(random.amplitude() * exp(-Double(frame) / 800))
                }
            }
            return SampleBuffer(left: samples, sampleRate: .standard)
        }

        @Test("500 loops are analysed while a set plays, and no more blocks come late than while nothing else runs")
        func library() async throws {
            // On a machine this small, blocks of 21 ms are what a set is played with.
            let server = try JackServer(blockFrames: 1024)
            defer { server.end() }
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "live"), engine: try SineEngine.make(), busNames: ["main"],
                reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            try await Task.sleep(for: .seconds(1))
            let before = supervisor.xrunCount
            let begin = ContinuousClock.now
            let queue = BackgroundQueue()
            let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for seed in 0..<500 {
                    group.addTask {
                        try await queue.run { _ in
                            let estimate = TempoAnalysis.estimate(JackAnalysisTests.loop(seed: UInt64(seed)))
                            return (estimate.bpm == nil) == (estimate.absence != nil)
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            let took = ContinuousClock.now - begin
            let busy = supervisor.xrunCount - before
            // As long again with nothing to do: what comes late then, the machine has to answer for.
            try await Task.sleep(for: took)
            let calm = supervisor.xrunCount - before - busy
            print("500 loops in \(took): \(busy) late blocks, \(calm) in as long without them")
            #expect(answered == 500)
            // What a machine has to do besides is not spread evenly.
            let chance = took / Duration.milliseconds(21.3) / 100
            #expect(Double(busy) <= 2 * Double(calm) + 3 + chance)
        }
    }
}

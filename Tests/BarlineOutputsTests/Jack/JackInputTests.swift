import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import CJack
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// What goes out by JACK and comes in again, recorded where it was played.
    @Suite("Inputs through JACK", .timeLimit(.minutes(10)))
    struct JackInputTests {
        private static let beat = 12_000

        @Test("The click that goes out and comes in again a period later lies on its beats in a take")
        func loopback() throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 240)))
            engine.metronome.isOn = true
            try engine.inputs.open(InputIndex(0), channels: 1)
            let device = try JackDevice(name: "loop", connection: .none)
            var input = DeviceInput(name: "mic", index: InputIndex(0), channels: [1])
            // JACK gives what a client sends to itself one period later, of which the ports say nothing.
            input.correction = device.format.blockFrames
            let supervisor = try OutputSupervisor(
                device, engine: engine, busNames: ["main"], inputs: [input],
                reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            #expect(supervisor.givesInputs)
            let capture = try JackCapture(name: "capture", seconds: 1)
            defer { capture.close() }
            #expect(capture.connect("loop:main_1", to: "loop:mic"))
            let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
            try engine.launcher.launch(clip)
            let take = try #require(engine.launcher.take(of: clip))
            #expect(eventually { take.isFinished })
            let result = try #require(take.result)
            #expect(result.region.count == 4 * Self.beat)
            let expected = try Self.clicks()
            take.withSamples(from: result.region.lowerBound) { left, _ in
                let wrong = (0..<4 * Self.beat).filter { left[$0] != expected[$0] }
                // A server that is late passes over frames, which are silence here.
                #expect(wrong.isEmpty || result.start.gaps > 0 || supervisor.xrunCount > 0, "\(wrong.count) frames")
            }
        }

        /// A bar of the click by itself, as an engine of its own renders it.
        private static func clicks() throws -> [Float] {
            let other = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 240)))
            other.metronome.isOn = true
            try other.transport.start(at: FrameTime.zero)
            var samples = [Float](repeating: 0, count: 8 * beat)
            var right = samples
            samples.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    let channels = [left.baseAddress, right.baseAddress]
                    channels.withUnsafeBufferPointer { pointers in
                        guard let base = pointers.baseAddress else { return }
                        other.render(AudioBlock(outputs: base, outputCount: 2, frames: 8 * beat))
                    }
                }
            }
            return Array(samples[(4 * beat)...])
        }
    }
}

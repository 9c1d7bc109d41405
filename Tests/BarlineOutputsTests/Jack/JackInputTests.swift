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

        @Test(
            "Each of ten layers that are recorded over a loop through the server has the click on its beats",
            arguments: [64, 256, 1_024])
        func layers(blockFrames: Int) throws {
            let server = try JackServer(blockFrames: blockFrames, waitsForClients: true)
            defer { server.end() }
            let engine = Engine(EngineConfiguration(trackCount: 1, busCount: 2, tempo: Tempo(clamping: 240)))
            engine.metronome.isOn = true
            // The loop goes elsewhere, so that what comes in again is the click alone.
            try engine.mixer[.track(0)].setBus(BusIndex(1))
            try engine.inputs.open(InputIndex(0), channels: 1)
            let device = try JackDevice(name: "loop", connection: .none)
            var input = DeviceInput(name: "mic", index: InputIndex(0), channels: [1])
            input.correction = device.format.blockFrames
            let supervisor = try OutputSupervisor(
                device, engine: engine, busNames: ["main", "phones"], inputs: [input],
                reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            let capture = try JackCapture(name: "capture", seconds: 1)
            defer { capture.close() }
            #expect(capture.connect("loop:main_1", to: "loop:mic"))
            let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
            try engine.launcher.launch(clip)
            let take = try #require(engine.launcher.take(of: clip))
            #expect(eventually { take.isFinished })
            try engine.launcher.overdub(clip, OverdubSettings(input: InputIndex(0), bars: 10))
            #expect(
                try eventually {
                    try engine.launcher.prepareLayers(of: clip)
                    let layers = engine.launcher.layers(of: clip)
                    return layers.count == 10 && layers.allSatisfy { $0.take.isFinished }
                })
            let click = try Self.clicks()
            var expected = click
            func expect(_ take: TakeHandle, _ name: String) throws {
                let region = try #require(take.result).region
                #expect(region.count == 4 * Self.beat)
                take.withSamples(from: region.lowerBound) { left, _ in
                    let wrong = (0..<4 * Self.beat).filter { left[$0] != expected[$0] }
                    // A server that is late passes over frames.
                    #expect(
                        wrong.isEmpty || supervisor.xrunCount > 0, "\(name): \(wrong.count) frames, \(wrong.prefix(3))")
                }
            }
            try expect(take, "loop")
            for (index, layer) in engine.launcher.layers(of: clip).enumerated() {
                for frame in expected.indices { expected[frame] += click[frame] }
                try expect(layer.take, "layer \(index + 1)")
            }
            // All of them lie on one frame.
            #expect(supervisor.xrunCount > 0 || expected.contains { abs($0) > 3 })
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

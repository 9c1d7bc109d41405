import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// Live and offline are one renderer.
    @Suite("Live and offline", .timeLimit(.minutes(10)))
    struct JackCaptureTests {
        static let session = """
            {"barline": 1, "tempo": 150, "launchQuantization": "1/2",
             "tracks": [
              {"id": "t", "gain": -3, "pan": 0.25, "clips": [
                {"id": "a", "file": "a.wav", "beats": 2}, {"id": "b", "file": "b.wav", "beats": 3}]},
              {"id": "u", "clips": [{"id": "c", "file": "b.wav", "beats": 4, "quantization": "1/8"}]}],
             "stems": [{"id": "v", "file": "c.wav"}, {"id": "w", "file": "b.wav", "gain": -6}]}
            """
        static let script = """
            {"at": 0, "do": "launch", "clip": "a"}
            {"frame": 50001, "do": "stems", "action": "play"}
            {"at": 1.3, "do": "launch", "clip": "c"}
            {"at": 1.9, "do": "tempo", "bpm": 97.3, "ramp": 2}
            {"at": 2.4, "do": "launch", "clip": "b"}
            {"at": 2.7, "do": "gain", "track": "u", "db": -9}
            {"at": 3.1, "do": "mute", "track": "t", "on": true}
            {"at": 3.3, "do": "mute", "track": "t", "on": false}
            {"frame": 165001, "do": "tempo", "bpm": 181}
            {"at": 3.7, "do": "stopNow", "track": "u"}
            {"at": 3.9, "do": "launch", "clip": "c"}
            {"at": 4.1, "do": "stems", "action": "pause"}
            {"at": 4.3, "do": "stems", "action": "play"}
            """
        static let seconds = 5

        @Test("What a JACK client hears is what a render writes, to the bit")
        func capture() async throws {
            let folder = try TemporaryFolder()
            var random = TestRandom(seed: 11)
            try folder.write("a.wav", WaveFile((0..<30_000).map { _ in 0.3 * random.amplitude() }).bytes)
            try folder.write("b.wav", WaveFile((0..<70_000).map { _ in 0.3 * random.amplitude() }).bytes)
            try folder.write("c.wav", WaveFile((0..<260_000).map { _ in 0.1 * random.amplitude() }).bytes)
            try folder.write("set.barline", JackCaptureTests.session)
            let rendered = try await render(folder)
            // An xrun is the machine's doing: then another try is made, on a busy one many.
            let attempts = 20
            for attempt in 1...attempts {
                let capture = try await play(folder)
                // What came so late that nothing was captured is one of them.
                let heard = capture.left.firstIndex { $0 != 0 }
                if heard.map({ capture.lastFault > $0 }) ?? true, attempt < attempts { continue }
                let first = try #require(heard)
                #expect(capture.lastFault <= first, "the machine was too slow every time")
                try compare(capture, from: first, rendered)
                return
            }
        }

        private func player(_ folder: TemporaryFolder) async throws -> SessionPlayer {
            let path = folder.path("set.barline")
            return try await SessionPlayer(try SessionDocument(path: path), path: path)
        }

        private func script() throws -> PerformanceScript {
            try PerformanceScript(text: JackCaptureTests.script, path: "script.jsonl")
        }

        private func render(_ folder: TemporaryFolder) async throws -> WaveContents {
            let frames = Int64(48_000 * JackCaptureTests.seconds)
            let output = OfflineRender.Output(path: folder.path("offline.wav"))
            let render = try OfflineRender(
                try await player(folder), script: try script(), frames: frames, blockFrames: 1000, output: output)
            _ = try render.run()
            return try WaveContents(path: folder.path("offline.wav"))
        }

        private func play(_ folder: TemporaryFolder) async throws -> JackCapture {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let player = try await player(folder)
            player.multitrack?.startFeeding()
            for (frame, entry) in try script().schedule(at: .standard) { try player.perform(entry.action, at: frame) }
            let capture = try JackCapture(name: "capture", seconds: 2 * JackCaptureTests.seconds)
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "live", connection: .matching("^capture:in_")), engine: player.engine,
                busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            let end = Int64(48_000 * JackCaptureTests.seconds)
            #expect(eventually { player.engine.state.frame.rawValue >= end })
            capture.close()
            supervisor.stop()
            return capture
        }

        private func compare(_ capture: JackCapture, from heard: Int, _ rendered: WaveContents) throws {
            let first = try #require(rendered.channels[0].firstIndex { $0 != 0 })
            let count = min(rendered.frameCount - first, capture.frameCount - heard)
            #expect(count > 48_000 * (JackCaptureTests.seconds - 2))
            for (live, offline) in [(capture.left, rendered.channels[0]), (capture.right, rendered.channels[1])] {
                let difference = (0..<count).first {
                    live[heard + $0].bitPattern != offline[first + $0].bitPattern
                }
                #expect(difference == nil)
            }
        }
    }
}

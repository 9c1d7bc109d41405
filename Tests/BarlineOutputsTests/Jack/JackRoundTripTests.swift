import BarlineEngine
import BarlineHost
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

import class BarlineTestSupport.Program

@testable import BarlineOutputs

extension JackTests {
    /// A device whose driver does not say the truth, on a real server: measured by the program, and recorded from by a
    /// host.
    @Suite("Round trips through JACK", .timeLimit(.minutes(10)))
    struct JackRoundTripTests {
        private static let beat = 12_000
        private static let document = """
            {"barline": 1, "tempo": 240, "metronome": {"enabled": true},
             "inputs": [{"name": "mic", "channels": [1], "monitor": "never"}],
             "tracks": [{"id": "t", "name": "Voice", "input": "mic"}]}
            """

        /// The program under test, built beside the test bundle.
        private static var program: String {
            let argument = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
            return URL(fileURLWithPath: argument).deletingLastPathComponent().appendingPathComponent("barline").path
        }

        private func measure(_ folder: TemporaryFolder) throws -> Program.Outcome {
            func run() throws -> Program.Outcome {
                // The hardware that the server has of its own comes first.
                try Program.run(
                    Self.program,
                    ["latency", "--json", "--output", "room:playback_1", "--input", "room:capture_1"],
                    environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_DATA_HOME": folder.path("data")])
            }
            var outcome = try run()
            // A machine that is busy with other things asks for another try.
            for _ in 1..<6 where outcome.errors.contains("the server was late") { outcome = try run() }
            return outcome
        }

        @Test(
            "What is measured is how long it takes, in blocks of any size; the click lies on its beats in what is then recorded",
            arguments: UInt64(1)...3)
        func measured(seed: UInt64) async throws {
            var random = TestRandom(seed: seed)
            let sizes = [128, 256, 512, 1_024]
            let size = sizes[Int.random(in: 0..<sizes.count, using: &random)]
            let server = try JackServer(blockFrames: size, waitsForClients: true)
            defer { server.end() }
            let (delay, declared) = (
                Int.random(in: 0...4_000, using: &random), Int.random(in: 0...2_000, using: &random)
            )
            let room = try JackRoom(delay: delay, declared: declared)
            let folder = try TemporaryFolder()
            let outcome = try measure(folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let line = try #require(try JSONLines.objects(outcome.output).first)
            #expect(abs(try #require(line.number("roundTrip")) - Double(delay + size)) < 0.5)
            #expect(line.text("date")?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
            #expect(line.integer("declared") == declared + size && line.integer("correction") == delay - declared)
            #expect(line["isFarOff"] as? Bool == (abs(delay - declared) > 48))
            #expect(outcome.errors.contains("ms off") == (abs(delay - declared) > 48))

            // What the driver says changes with the blocks, what it does not say stays.
            let other = sizes[Int.random(in: 0..<sizes.count, using: &random)]
            #expect(room.setBlockFrames(other))
            let recorded = try await Recorded(Self.document, in: folder)
            #expect(recorded.latency?.correction == delay - declared)
            #expect(recorded.latency?.output == "room" && recorded.latency?.input == "room")
            #expect(try recorded.lag() == 0, "\(delay) said to be \(declared), blocks of \(size) and \(other)")
        }

        @Test("What was recorded before is moved by what is measured later, and nothing of it is lost")
        func later() async throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let room = try JackRoom(delay: 3_000, declared: 500)
            let folder = try TemporaryFolder()
            let recorded = try await Recorded(Self.document, in: folder)
            #expect(try recorded.lag() == 2_500, "as late as the driver is wrong")
            #expect(try measure(folder).status == 0)
            let moved = try await recorded.aligned()
            #expect(moved == 1)
            #expect(try recorded.lag() == 0)
            #expect(try await recorded.aligned() == 0)
            withExtendedLifetime(room) {}
        }

        @Test(
            "What was measured holds while others listen: a meter, another program that says it is late, a second device",
            arguments: [
                ["meter:in_1"], ["late:playback_1"], ["system:playback_1"], ["meter:in_1", "system:playback_1"],
            ])
        func listeners(ports: [String]) async throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let room = try JackRoom(delay: 3_000, declared: 500)
            let late = try JackRoom(name: "late", delay: 0, declared: 40_000, isPhysical: false)
            let meter = try JackCapture(name: "meter", seconds: 1)
            defer { meter.close() }
            let folder = try TemporaryFolder()
            #expect(try measure(folder).status == 0)
            let sources = ports.contains("late:playback_1") ? ["late:capture_1"] : []
            let recorded = try await Recorded(Self.document, in: folder, listeners: ports, sources: sources)
            #expect(recorded.latency?.correction == 2_500)
            #expect(recorded.latency?.output == "room" && recorded.latency?.input == "room")
            #expect(try recorded.lag() == 0)
            withExtendedLifetime((room, late)) {}
        }

        @Test("Without a cable nothing is kept, and the reason is given in words")
        func noCable() throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let room = try JackRoom(delay: 100, declared: 0)
            room.setConnected(false)
            let folder = try TemporaryFolder()
            let outcome = try measure(folder)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("nothing of what room:playback_1 played came back by room:capture_1"))
            #expect(!FileManager.default.fileExists(atPath: folder.path("state/barline/latency.json")))
            let wrong = try Program.run(
                Self.program, ["latency", "--input", "room:none"], environment: ["XDG_STATE_HOME": folder.path("state")]
            )
            #expect(wrong.status == 1 && wrong.errors.contains("there is no port \"room:none\"; there is "))
        }
    }

    /// A bar of the metronome that went out by a room and came in again, recorded into a slot by a host.
    private final class Recorded {
        private static let beat = 12_000
        private let folder: TemporaryFolder
        private let path: String
        private let host: SessionHost

        /// `listeners` are ports that hear the same as the room, `sources` ones that the input has beside it.
        init(
            _ document: String, in folder: TemporaryFolder, listeners: [String] = [], sources: [String] = []
        ) async throws {
            self.folder = folder
            path = try folder.write("set.barline", document)
            var plan = SessionHost.Plan(try SessionDocument(path: path), path: path)
            plan.library = SessionLibrary(
                folder: URL(fileURLWithPath: folder.path("data/barline"), isDirectory: true),
                state: URL(fileURLWithPath: folder.path("state/barline"), isDirectory: true))
            plan.isEditable = true
            var selection = OutputSelection()
            selection.backend = .jack
            selection.connection = .none
            host = try await SessionHost(plan, on: selection)
            host.start()
            let wires = try JackCapture(name: "wires", seconds: 1)
            defer { wires.close() }
            #expect(eventually { wires.connect("barline:main_1", to: "room:playback_1") })
            #expect(eventually { wires.connect("room:capture_1", to: "barline:mic") })
            for port in listeners { #expect(eventually { wires.connect("barline:main_1", to: port) }) }
            for port in sources { #expect(eventually { wires.connect(port, to: "barline:mic") }) }
            let host = host
            #expect(eventually { host.supervisor.inputLatencies.first?.inputDevice == "room" })
            #expect(eventually { host.supervisor.inputLatencies.first?.outputDevice == "room" })
            try host.perform(.record(.clip(track: "t", slot: 0, input: nil, bars: 1, id: "new")))
            #expect(eventually { host.player.document.tracks[0].clips.first?.latency != nil })
            #expect(
                eventually {
                    host.player.clips["new"]?.handle.flatMap { host.player.engine.launcher.take(of: $0) }?.isFinished
                        ?? false
                })
            host.player.takes.finish()
        }

        deinit { try? host.stop() }

        var clip: ClipDocument? { host.player.document.tracks[0].clips.first }

        var latency: ClipLatency? { clip?.latency }

        /// Moves what was recorded by what is known now; gives how many clips were moved.
        func aligned() async throws -> Int {
            let action = try ControlAction(try JSONValue(parsing: Data(#"{"do": "alignTakes"}"#.utf8)), source: "test")
            guard case .number(let moved)? = try await host.session.perform(action).result["moved"] else { return -1 }
            return Int(moved)
        }

        /// How many frames later than on their beats the clicks of the bar are.
        func lag() throws -> Int? {
            let clip = try #require(clip)
            let file = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: path)).path
            let heard = try WaveContents(path: file).channels[0]
            let start = clip.start
            // Three beats sound the same, and the first one is accented: a whole beat late would not fit.
            let end = try #require(clip.end)
            #expect(end - start == 4 * Recorded.beat)
            let expected = try Recorded.clicks()
            var best = (lag: 0, similarity: 0.0)
            for lag in -4_000...4_000 {
                var similarity = 0.0
                for beat in 0..<4 {
                    for frame in 0..<240 {
                        let place = start + beat * Recorded.beat + frame + lag
                        if heard.indices.contains(place) {
                            similarity += Double(heard[place] * expected[beat * Recorded.beat + frame])
                        }
                    }
                }
                if similarity > best.similarity { best = (lag, similarity) }
            }
            return best.similarity > 0 ? best.lag : nil
        }

        /// A bar of the click by itself, as an engine of its own renders it.
        private static func clicks() throws -> [Float] {
            let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 240)))
            engine.metronome.isOn = true
            try engine.transport.start(at: FrameTime.zero)
            var samples = [Float](repeating: 0, count: 8 * beat)
            var right = samples
            samples.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    let channels = [left.baseAddress, right.baseAddress]
                    channels.withUnsafeBufferPointer { pointers in
                        guard let base = pointers.baseAddress else { return }
                        engine.render(AudioBlock(outputs: base, outputCount: 2, frames: 8 * beat))
                    }
                }
            }
            return Array(samples[(4 * beat)...])
        }
    }
}

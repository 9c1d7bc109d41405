import BarlineTestSupport
import Foundation
import Testing

/// A real program that records when its real JACK server is killed.
@Suite("Recording while the server is lost", .serialized)
struct LostInputTests {
    private static let server = "barline-take-\(ProcessInfo.processInfo.processIdentifier)"
    private static let bar = 48_000

    private func launch() throws -> Program {
        let name = Self.server
        return try JackServer.launch(name, ["-r", "-S", "-d", "dummy", "-r", "48000", "-p", "1024"]) {
            (try? Program.run("jack_lsp", ["-s", name], environment: ["JACK_NO_START_SERVER": "1"]))?.status == 0
        }
    }

    @Test(
        "What was recorded before is kept, what is missing is silence, and the take ends on its bar when the server is back"
    )
    func killed() throws {
        let folder = try TemporaryFolder()
        let session = try folder.write(
            "set.barline",
            """
            {"barline": 1, "name": "Set", "tempo": 240, "metronome": {"enabled": true},
             "inputs": [{"name": "mic", "channels": [1], "monitor": "never"}], "tracks": [{"id": "t", "input": "mic"}]}
            """)
        let first = try launch()
        defer { first.end() }
        let program = try Program(
            Barline.path, ["run", session, "--backend", "jack", "--no-autoconnect", "--json", "--no-page"],
            environment: Barline.environment.merging([
                "JACK_DEFAULT_SERVER": Self.server, "XDG_DATA_HOME": folder.path("data"),
                "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
        defer { program.end() }
        func count(_ event: String) -> Int { program.output.components(separatedBy: #""event":"\#(event)""#).count - 1 }
        // What it plays is what it hears: the click.
        #expect(
            eventually {
                (try? Program.run(
                    "jack_connect", ["-s", Self.server, "barline:main_1", "barline:mic"],
                    environment: ["JACK_NO_START_SERVER": "1"]))?.status == 0
            })
        program.send(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "new"}"# + "\n")
        #expect(eventually { count("recordStarted") == 1 })
        let begun = count("beat")
        #expect(eventually { count("beat") > begun + 8 })
        first.signal(SIGKILL)
        #expect(eventually { count("outputLost") == 1 })
        let lost = count("beat")
        #expect(eventually { count("beat") > lost + 4 }, "the beat goes on")
        let second = try launch()
        defer { second.end() }
        #expect(eventually { count("outputRecovered") == 1 })
        program.send(#"{"do": "recordClip", "track": "t", "slot": 0}"# + "\n")
        #expect(eventually { count("recordEnded") == 1 })
        let line = try #require(program.output.split(separator: "\n").first { $0.contains("recordEnded") })
        let frames = try #require(try JSONLines.objects(String(line)).first?.integer("frames"))
        #expect(frames % Self.bar == 0 && frames >= 3 * Self.bar)
        let audio = folder.path("audio")
        func file() throws -> WaveContents? {
            let names = try FileManager.default.contentsOfDirectory(atPath: audio)
            return try names.first { $0.hasPrefix("take-") }.map { try WaveContents(path: audio + "/" + $0) }
        }
        // Half a second more is at both ends.
        #expect(try eventually { try file()?.frameCount == frames + 48_000 })
        let heard = try #require(try file()).channels[0]
        // What comes after an eighth of a second of silence.
        var clicks: [Int] = []
        var lastSound = 0
        for frame in heard.indices where heard[frame] != 0 {
            if frame - lastSound > 6_000 { clicks.append(frame) }
            lastSound = frame
        }
        #expect(clicks.count >= 7, "one a beat until the server went: \(clicks)")
        for (one, next) in zip(clicks, clicks.dropFirst()) { #expect(next - one == 12_000) }
        #expect(
            heard[heard.count - 60_000..<heard.count].allSatisfy { $0 == 0 }, "nothing is connected to the new server")
        program.signal(SIGINT)
        #expect(try program.wait().status == 130)
    }
}

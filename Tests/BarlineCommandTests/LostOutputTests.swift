import BarlineTestSupport
import Foundation
import Testing

/// A real program whose real JACK server is killed, and started again.
@Suite("Lost outputs", .serialized)
struct LostOutputTests {
    /// A server of this test's own.
    private struct Server {
        static let name = "barline-loss-\(ProcessInfo.processInfo.processIdentifier)"

        let program: Program

        init() throws {
            program = try JackServer.launch(Server.name, ["-r", "-d", "dummy", "-r", "48000", "-p", "1024"]) {
                (try? Program.run("jack_lsp", ["-s", Server.name], environment: ["JACK_NO_START_SERVER": "1"]))?.status
                    == 0
            }
        }
    }

    @Test("A server that stands still for seconds is lost, and joined when it goes on; the beat goes on meanwhile")
    func stall() throws {
        try whilePlaying { server, program in
            server.program.signal(SIGSTOP)
            #expect(eventually { count("outputLost", program) == 1 })
            let beats = count("beat", program)
            #expect(eventually { count("beat", program) > beats + 2 })
            server.program.signal(SIGCONT)
            #expect(eventually { count("outputRecovered", program) == 1 })
            #expect(eventually { count("beat", program) > beats + 6 })
        }
    }

    @Test("While a server stands still another output is chosen, and nothing waits for it")
    func choiceBesideStall() throws {
        try whilePlaying { server, program in
            server.program.signal(SIGSTOP)
            #expect(eventually { count("outputLost", program) == 1 })
            program.send(#"{"do": "output", "backend": "jack"}"# + "\n")
            #expect(eventually { program.output.contains("does not answer") }, "\(program.output.suffix(500))")
            program.send(#"{"do": "output", "backend": "null"}"# + "\n")
            #expect(eventually { program.output.contains(#""ok":true"#) }, "\(program.output.suffix(500))")
            let beats = count("beat", program)
            #expect(eventually { count("beat", program) > beats + 2 })
            program.signal(SIGTERM)
            let status = try program.wait(timeout: 30).status
            #expect(status == 128 + SIGTERM)
        }
    }

    @Test("A program whose server stands still ends when it is told to", arguments: [SIGTERM, SIGINT])
    func endBesideStall(signal: Int32) throws {
        try whilePlaying { server, program in
            server.program.signal(SIGSTOP)
            program.signal(signal)
            let status = try program.wait(timeout: 30).status
            #expect(status == 128 + signal)
        }
    }

    /// Has the demo set play on a server, which may be standing still afterwards; both are ended.
    private func whilePlaying(_ body: (Server, Program) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let server = try Server()
        defer {
            server.program.signal(SIGCONT)
            server.program.end()
        }
        let program = try start(in: folder)
        defer { program.end() }
        try #require(eventually { count("beat", program) > 0 }, "\(program.output) \(program.errors)")
        try body(server, program)
    }

    /// The demo set on the server, with a file of events.
    private func start(in folder: TemporaryFolder, on output: [String] = ["jack"]) throws -> Program {
        // PortAudio takes a configuration without a default device for an error, unless there is one that can't be
        // opened.
        try folder.write("asound.conf", Array("pcm.none 1\npcm.desk { type null }\n".utf8))
        return try Program(
            Barline.path,
            ["run", "--backend"] + output + [
                "--json", "--no-browser", "--port", "0", "--events", folder.path("events.jsonl"),
            ],
            environment: Barline.environment.merging([
                "JACK_DEFAULT_SERVER": Server.name, "ALSA_CONFIG_PATH": folder.path("asound.conf"),
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
    }

    /// How often something was told; the last line may not be whole yet.
    private func count(_ event: String, _ program: Program) -> Int {
        program.output.components(separatedBy: #""event":"\#(event)""#).count - 1
    }

    @Test(
        "A server that is killed while the transport is stopped, or the list paused, ends nothing, and starts nothing",
        arguments: [
            [#"{"do": "transport", "action": "stop"}"#],
            [
                #"{"do": "playlist", "action": "insert", "index": 0, "file": "loops/drums-four-steps.wav"}"#,
                #"{"do": "playlist", "action": "play"}"#, #"{"do": "playlist", "action": "pause"}"#,
                #"{"do": "transport", "action": "stop"}"#,
            ],
        ])
    func lossAtRest(_ actions: [String]) throws {
        let folder = try TemporaryFolder()
        let first = try Server()
        defer { first.program.end() }
        let program = try start(in: folder)
        defer { program.end() }
        try #require(eventually { count("beat", program) > 0 }, "\(program.output) \(program.errors)")
        for action in actions { program.send(action + "\n") }
        #expect(eventually { count("ack", program) == actions.count })
        let beats = count("beat", program)
        first.program.signal(SIGKILL)
        #expect(eventually { count("outputLost", program) == 1 })
        let second = try Server()
        defer { second.program.end() }
        #expect(eventually { count("outputRecovered", program) == 1 })
        #expect(count("beat", program) <= beats + 1)
        program.send(#"{"do": "transport", "action": "play"}"# + "\n")
        #expect(eventually { count("beat", program) > beats + 3 })
        #expect(!program.output.contains(#""ok":false"#), "\(program.output)")
    }

    @Test(
        "A killed server that PortAudio is a client of, whatever it plays to, ends nothing, also once the next is joined",
        arguments: ["system", "desk"])
    func lossBehindPortAudio(device: String) throws {
        let folder = try TemporaryFolder()
        let first = try Server()
        defer { first.program.end() }
        let program = try start(in: folder, on: ["portaudio", "--device", device])
        defer { program.end() }
        try #require(eventually { count("beat", program) > 0 }, "\(program.output) \(program.errors)")
        first.program.signal(SIGKILL)
        // The other device plays on.
        if device == "system" { #expect(eventually { count("outputLost", program) == 1 }) }
        let second = try Server()
        defer { second.program.end() }
        func answers(_ text: String) -> Int { program.output.components(separatedBy: text).count - 1 }
        for (turn, output) in [#""jack""#, #""portaudio", "device": "desk""#, #""jack""#].enumerated() {
            program.send(#"{"do": "output", "backend": \#(output)}"# + "\n")
            #expect(eventually { answers(#""ok":true"#) == turn + 1 }, "\(program.output.suffix(500))")
            let beats = count("beat", program)
            #expect(eventually { count("beat", program) > beats + 1 })
        }
        // PortAudio's way to the server that is gone is no device any more.
        program.send(#"{"do": "output", "backend": "portaudio", "device": "system"}"# + "\n")
        #expect(eventually { answers(#""ok":false"#) == 1 }, "\(program.output.suffix(500))")
        #expect(program.isRunning)
    }

    @Test("The file of events and standard output say that it is gone, and that it is back; the beat goes on")
    func loss() throws {
        let folder = try TemporaryFolder()
        let first = try Server()
        defer { first.program.end() }
        let program = try start(in: folder)
        defer { program.end() }
        try #require(eventually { count("beat", program) > 0 }, "\(program.output) \(program.errors)")
        #expect(count("outputLost", program) == 0)
        first.program.signal(SIGKILL)
        #expect(eventually { count("outputLost", program) == 1 })
        let beats = count("beat", program)
        #expect(eventually { count("beat", program) > beats + 2 })
        #expect(count("outputRecovered", program) == 0)
        let second = try Server()
        defer { second.program.end() }
        #expect(eventually { count("outputRecovered", program) == 1 })
        program.signal(SIGTERM)
        _ = try program.wait(timeout: 60)
        let log = try folder.text("events.jsonl")
        #expect(try JSONLines.events(log, of: "outputLost").count == 1)
        let back = try #require(try JSONLines.events(log, of: "outputRecovered").first)
        #expect(back.text("output")?.contains("jack") == true)
        #expect((back.number("seconds") ?? 0) > 0)
        #expect(count("outputLost", program) == 1 && count("outputRecovered", program) == 1)
    }
}

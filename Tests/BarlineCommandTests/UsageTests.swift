import BarlineSession
import BarlineTestSupport
import Testing

/// Help, and what is no command.
@Suite("Usage of the command line")
struct UsageTests {
    @Test("Help lists the commands and the exit statuses")
    func help() throws {
        let help = try Barline.run(["--help"])
        #expect(help.status == 0)
        #expect(help.errors.isEmpty)
        for word in [
            "run", "render", "waveform", "devices", "demo", "0 done, 1 failed, 64 wrong usage, 130 interrupted",
        ] {
            #expect(help.output.contains(word), "\(word)")
        }
    }

    @Test("Every command has help of its own", arguments: ["run", "render", "waveform", "devices", "demo"])
    func commandHelp(command: String) throws {
        let help = try Barline.run([command, "--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("USAGE: barline \(command)"))
    }

    @Test("Help fits the terminal", arguments: [80, 59])
    func width(columns: Int) throws {
        let commands = [
            "run", "render", "waveform", "devices", "demo", "metronome", "analyze", "play", "stems", "rooms", "takes",
            "versions", "collect", "doctor",
        ]
        for command in [[]] + commands.map({ [$0] }) {
            let help = try Barline.run(command + ["--help"], environment: ["COLUMNS": "\(columns)"])
            for line in help.output.split(separator: "\n") { #expect(line.count <= columns, "\(command): \(line)") }
        }
    }

    @Test("The version is printed")
    func version() throws {
        let version = try Barline.run(["--version"])
        #expect(version.status == 0)
        #expect(version.output == "\(Program.version)\n")
    }

    @Test(
        "Wrong usage ends with 64 and says so on standard error",
        arguments: [
            ["help", "nonsense"], ["render"], ["render", "set.barline"], ["waveform"], ["demo"],
            ["run", "--backend", "cassette"],
            ["run", "--no-such-option"], ["run", "--clock", "link"], ["waveform", "a.wav", "--points", "0"],
            ["waveform", "a.wav", "--points", "many"], ["waveform", "a.wav", "--json", "--png", "a.png"],
            ["run", "--duration", "0"], ["run", "--scene", "0"], ["run", "--no-autoconnect", "--connect", "x"],
            ["run", "--connect", "(["], ["run", "--connect", ""],
            ["run", "--record", "x.jsonl", "--events", "./x.jsonl"], ["metronome", "--step", "5"],
            ["metronome", "--every", "2"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "-1"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "nan"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "1", "--format", "s8"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "1", "--block-size", "0"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "1", "--sample-rate", "7999"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "1", "--sample-rate", "48000.5"],
            ["render", "s", "--script", "j", "--output", "o.wav", "--duration", "1", "--sample-rate", "200000"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let outcome = try Barline.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("barline: ") == true && lines.count { $0.hasPrefix("barline: ") } == 1)
        #expect(lines.contains { $0.hasPrefix("Usage: barline ") }, "\(outcome.errors)")
        #expect(!outcome.errors.contains("Error: "))
    }

    @Test(
        "A number below what it may be is told by its bounds, and is not taken for another option",
        arguments: [
            ["play", "a.wav", "--start"], ["play", "a.wav", "--duration"], ["play", "a.wav", "--crossfade"],
            ["play", "a.wav", "--speed"], ["stems", "a.wav", "--start"], ["stems", "a.wav", "--duration"],
            ["metronome", "--bpm"], ["metronome", "--duration"], ["metronome", "--swing"], ["run", "--scene"],
            ["run", "--duration"], ["run", "--port"], ["waveform", "a.wav", "--points"],
        ])
    func negative(arguments: [String]) throws {
        let outcome = try Barline.run(arguments + ["-1"])
        #expect(outcome.status == 64)
        #expect(!outcome.errors.contains("Missing value"), "\(outcome.errors)")
        let name = try #require(arguments.last)
        #expect(outcome.errors.contains(name), "\(outcome.errors)")
        #expect(outcome.errors.contains(/must|from|at least|above/), "\(outcome.errors)")
    }

    @Test("A wrong argument gives a terminal no commands")
    func escapes() throws {
        let outcome = try Barline.run(["play", "--\u{1B}[2Jx"])
        #expect(outcome.status == 64 && outcome.errors.contains("--") && !outcome.errors.contains("\u{1B}"))
    }

    @Test("Wrong usage that is found on the way is said with the usage of the command")
    func usageOfCommand() throws {
        let folder = try TemporaryFolder()
        let script = try folder.write("script.jsonl", Array(#"{"at": 0, "do": "stopAll"}"#.utf8))
        let outcome = try Barline.run(["render", "--script", script, "--output", folder.path("a.wav")])
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("barline: ") && outcome.errors.contains("a session file is needed"))
        #expect(outcome.errors.contains("\nUsage: barline render"))
        #expect(outcome.errors.contains("'barline render --help'"))
    }
}

import BarlineTestSupport
import Foundation
import Testing

/// `barline run` without a terminal, paced by the clock.
@Suite("Playing live without a terminal")
struct RunTests {
    private static let quick = #""launchQuantization": "1/16", "firstLaunch": "immediate", "#

    @Test("What happens is told in plain lines, for as long as asked for")
    func plainLines() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let started = Date()
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "1", "--script", set.script])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "Small set on null (paced by the clock, not heard)")
        #expect(lines.contains("0:00.000  ▶ Drum kit: Noise at beat 0"))
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(-started.timeIntervalSinceNow > 0.9)
    }

    @Test("A script's first actions are done on their own frames, not late")
    func notLate() throws {
        let set = try SmallSet(
            script: """
                {"frame": 0, "do": "gain", "track": "drums", "db": -6}
                {"frame": 0, "do": "launch", "clip": "a"}
                {"frame": 100, "do": "launch", "clip": "b"}
                """, settings: RunTests.quick)
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "0.5", "--script", set.script, "--json"])
        let events = try JSONLines.objects(outcome.output)
        #expect(!events.contains { $0.text("event") == "commandLate" })
        let started = events.filter { $0.text("event") == "clipStarted" }
        #expect(started.first?.integer("frame") == 0)
        #expect(started.first?.number("sourceFrame") == 0)
    }

    @Test("Actions are taken from standard input, and what is wrong with one ends nothing")
    func standardInput() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let program = try Barline.start(["run", set.session, "--backend", "null", "--json"])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains(#""event":"output""#) })
        program.send(#"{"do": "launch", "clip": "a"}"# + "\n")
        #expect(eventually { program.output.contains(#""clip":"a","event":"clipStarted""#) }, "\(program.output)")
        program.send("launch b\n")
        #expect(eventually { program.errors.contains("barline: standard input: is not valid JSON: launch b") })
        program.send(#"{"do": "launch", "clip": "z"}"# + "\n")
        #expect(eventually { program.errors.contains("there is no \"z\"") })
        program.send("\n" + #"{"do": "tempo", "bpm": 5000}"# + "\n")
        #expect(eventually { program.errors.contains("5000.0 BPM is played as 999.0 BPM") })
        program.send(#"{"do": "launch", "clip": "b"}"# + "\n")
        #expect(eventually { program.output.contains(#""clip":"b","event":"clipStarted""#) })
        program.closeInput()
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("A scene can be launched at the start; one that there is not is an error")
    func scene() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let arguments = ["run", set.session, "--backend", "null", "--duration", "0.3", "--scene"]
        let outcome = try Barline.run(arguments + ["2"])
        #expect(outcome.output.contains("▶ Bass line: Other"))
        let wrong = try Barline.run(arguments + ["3"])
        #expect(wrong.status == 1)
        #expect(wrong.errors.hasPrefix("barline: \(set.session): --scene"))
    }

    @Test("A clip that is broken is told of, and the rest plays")
    func brokenClip() throws {
        let set = try SmallSet(settings: RunTests.quick)
        try set.folder.write("b.wav", "no audio")
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "0.5", "--scene", "1"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("barline: \(set.session): tracks[1].clips[0].file: "))
        #expect(outcome.output.contains("▶ Drum kit: Noise"))
    }

    // Other systems' devices can't be hidden from PortAudio.
    #if os(Linux)
        @Test("Where there is nothing to play to, one line says so and what to do about it")
        func nothingToPlayTo() throws {
            let set = try SmallSet(settings: RunTests.quick)
            let nothing = try set.folder.write("asound.conf", "pcm.none 1\n")
            let outcome = try Barline.run(
                ["run", set.session, "--duration", "0.2"], environment: ["ALSA_CONFIG_PATH": nothing])
            #expect(outcome.status == 0)
            #expect(outcome.errors.hasPrefix("barline: no sound server or device was found: "))
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    #endif
}

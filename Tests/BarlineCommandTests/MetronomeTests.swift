import BarlineTestSupport
import Foundation
import Testing

/// `barline metronome`.
@Suite("The metronome from the command line")
struct MetronomeTests {
    private struct Beat {
        let frame: Int
        let bar: Int
        let isAccented: Bool
    }

    /// The beats that a render into a file tells of.
    private func beats(_ arguments: [String], seconds: Double) throws -> [Beat] {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(
            ["metronome", "--duration", "\(seconds)", "--output", folder.path("m.wav"), "--events", folder.path("e")]
                + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONLines.objects(try folder.text("e")).compactMap { event in
            guard event.text("event") == "beat", let frame = event.integer("frame"), let bar = event.integer("bar")
            else { return nil }
            return Beat(frame: frame, bar: bar, isAccented: event["accent"] as? Bool == true)
        }
    }

    @Test("Clicks are written from frame 0 on, each on its frame", arguments: ["47.3", "120", "999"])
    func file(bpm: String) throws {
        let beats = try beats(["--bpm", bpm], seconds: 10)
        let period = 60 * 48_000 / (Double(bpm) ?? 0)
        #expect(beats.count == Int((480_000 / period).rounded(.up)))
        #expect(beats.indices.allSatisfy { beats[$0].frame == Int((Double($0) * period).rounded()) })
    }

    @Test("Metre, pattern and count-in are those asked for")
    func bars() throws {
        let beats = try beats(
            ["--time-signature", "3/4", "--pattern", "X.x", "--count-in", "2", "--sample-rate", "44100"], seconds: 6)
        #expect(beats.map(\.bar) == [-1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2, 2])
        #expect(beats.map(\.isAccented) == (0..<12).map { $0 % 3 == 0 })
        #expect(beats.map(\.frame) == (0..<12).map { $0 * 22_050 })
    }

    @Test("A gain below zero is taken as it is written")
    func gain() throws {
        let folder = try TemporaryFolder()
        let peaks = try [[], ["--gain", "-6"]].map { (gain: [String]) in
            let outcome = try Barline.run(
                ["metronome", "--duration", "1", "--output", folder.path("m.wav")] + gain)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try WaveContents(path: folder.path("m.wav")).channels[0].reduce(0) { max($0, abs($1)) }
        }
        #expect(abs(peaks[1] / peaks[0] - Float(pow(10, -6 / 20.0))) < 1e-3)
    }

    @Test("The speed trainer moves the tempo on bar lines until it is there")
    func trainer() throws {
        let beats = try beats(["--bpm", "120", "--to-bpm", "150", "--step", "20", "--every", "2"], seconds: 20)
        let steps = zip(beats, beats.dropFirst()).map { $1.frame - $0.frame }
        #expect(steps[..<8].allSatisfy { $0 == 24_000 })
        #expect(steps[8..<16].allSatisfy { abs($0 - 20_571) <= 1 })
        #expect(steps[16...].allSatisfy { abs($0 - 19_200) <= 1 })
        #expect(beats[8].isAccented && beats[16].isAccented)
    }

    @Test("A tempo map changes tempo and metre, and holds nothing else")
    func tempoMap() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "map.jsonl",
            """
            {"frame": 48000, "do": "tempo", "bpm": 60}
            {"at": 1.5, "do": "timeSignature", "value": "3/4"}
            """)
        let beats = try beats(["--tempo-map", folder.path("map.jsonl")], seconds: 8)
        #expect(beats.map(\.frame) == [0, 24_000, 48_000, 96_000, 144_000, 192_000, 240_000, 288_000, 336_000])
        #expect(beats.map(\.isAccented) == [true, false, false, false, true, false, false, true, false])
        try folder.write("bad.jsonl", #"{"at": 0, "do": "stopAll"}"#)
        let outcome = try Barline.run(
            ["metronome", "--tempo-map", folder.path("bad.jsonl"), "--duration", "1", "--output", folder.path("x.wav")])
        #expect(outcome.status == 1 && outcome.errors.contains("bad.jsonl: line 1"))
    }

    @Test("A tempo that is clamped is reported")
    func clamped() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(
            ["metronome", "--bpm", "5000", "--duration", "1", "--output", folder.path("m.wav"), "--json"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("5000.0 BPM is played as 999.0 BPM"))
        #expect(try JSONLines.objects(outcome.output).first?.integer("frames") == 48_000)
    }

    @Test(
        "Wrong usage is 64",
        arguments: [
            "--output m.wav", "--pattern Xo", "--time-signature 4/5", "--swing 80", "--subdivision 5", "--count-in -1",
            "--bpm 0", "--to-bpm 1000", "--to-bpm 130 --step 0", "--accent-frequency 3", "--tempo-map a --to-bpm 130",
        ])
    func wrongUsage(arguments: String) throws {
        #expect(try Barline.run(["metronome"] + arguments.split(separator: " ").map(String.init)).status == 64)
    }

    @Test("A click file that is not there is reported, and the status is 1")
    func missingSound() throws {
        let outcome = try Barline.run(["metronome", "--sound", "tock.wav", "--duration", "1", "--backend", "null"])
        #expect(outcome.status == 1 && outcome.errors.contains("tock.wav"))
    }

    @Test("Live it clicks until it is interrupted, from frame 0 on")
    func live() throws {
        let program = try Barline.start(["metronome", "--bpm", "480", "--backend", "null", "--json"])
        defer { program.end() }
        #expect(eventually { program.output.contains(#""bar":2,"beat":1"#) }, "\(program.output)")
        program.signal(SIGINT)
        #expect(try program.wait().status == 130)
        let beats = try JSONLines.objects(program.output).filter { $0.text("event") == "beat" }
        #expect(beats.prefix(4).map { $0.integer("frame") } == [0, 6_000, 12_000, 18_000])
    }

    @Test("What is changed while it clicks leaves no copy that nobody could ever open")
    func noCopy() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(
            ["metronome", "--backend", "null", "--json", "--duration", "1"],
            input: #"{"do": "tempo", "bpm": 101}"# + "\n",
            environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(outcome.status == 0 && outcome.output.contains(#""event":"tempoChanged""#), "\(outcome.output)")
        let left = FileManager.default.enumerator(atPath: folder.path("state"))?.compactMap { $0 as? String } ?? []
        #expect(left.filter { $0.contains("autosave/") } == [])
    }
}

import BarlineTestSupport
import Foundation
import Testing

/// `barline analyze`.
@Suite("Analyses from the command line")
struct AnalyzeTests {
    /// Four bars of a loud and a soft click by turns at 120 BPM.
    private static let clicks: [Double] = (0..<8 * 48_000).map { frame in
        let time = Double(frame % 12_000) / 48_000
        let isBeat = frame % 24_000 < 12_000
        return (isBeat ? 0.5 : 0.15) * exp(-time * 60) * sin(2 * .pi * (isBeat ? 80 : 4000) * time)
    }

    @Test("Every key that is promised is there, with values of its kind")
    func keys() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile(AnalyzeTests.clicks).bytes)
        let outcome = try Barline.run(["analyze", folder.path("a.wav"), "--json"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let object = try #require(try JSONLines.objects(outcome.output).first)
        #expect(object.text("file") == folder.path("a.wav"))
        #expect(object.number("duration") == 8)
        #expect(object.number("sampleRate") == 48_000 && object.number("channels") == 1)
        #expect(object.number("bpm") == 120)
        #expect(object.number("loopBeats") == 16)
        #expect((object.number("confidence") ?? -1) > 0 && (object.number("confidence") ?? 2) <= 1)
        let beats = try #require(object["beats"] as? [Double])
        #expect(beats.count == 16)
        #expect(object["downbeats"] is [Double])
        #expect(object["beatsPerBar"] != nil)
        let alternatives = try #require(object["alternatives"] as? [[String: Any]])
        #expect(alternatives.allSatisfy { $0.number("bpm") != nil && $0.number("confidence") != nil })
        let loudness = try #require(object["loudness"] as? [String: Any])
        #expect((loudness.number("integrated") ?? 0) < -10 && (loudness.number("truePeak") ?? 9) < 0)
    }

    @Test("The name of a file can't command the terminal that it is printed to")
    func names() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a\u{1B}[31m\u{7}b.wav", WaveFile(AnalyzeTests.clicks).bytes)
        let analysis = try Barline.run(["analyze", path])
        let click = try Barline.run(["metronome", "--duration", "1", "--output", folder.path("\u{1B}[2Jc.wav")])
        for outcome in [analysis, click] {
            #expect(outcome.status == 0 && outcome.output.contains(".wav: "), "\(outcome.errors)")
            #expect(!outcome.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
        }
    }

    @Test("A pipe and a device are refused, and not waited for")
    func noFiles() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        for (path, kind) in [(folder.path("pipe"), "a pipe"), ("/dev/zero", "a device")] {
            let outcome = try Barline.run(["analyze", path])
            #expect(outcome.status == 1 && outcome.errors.contains(kind), "\(outcome.errors)")
        }
    }

    @Test("What has no tempo says why")
    func silence() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile([Double](repeating: 0, count: 48_000)).bytes)
        let object = try #require(
            try JSONLines.objects(try Barline.run(["analyze", "--json", folder.path("a.wav")]).output).first)
        #expect(object["bpm"] is NSNull && object["loopBeats"] is NSNull)
        #expect(object.text("reason") == "silence")
        #expect((object["loudness"] as? [String: Any])?["integrated"] is NSNull)
    }

    @Test("A file that can't be read is named, the others go on in their order")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile(AnalyzeTests.clicks).bytes)
        try folder.write("b.wav", Array("no audio".utf8))
        try folder.write("c.wav", WaveFile([Double](repeating: 0, count: 9600)).bytes)
        let files = ["a.wav", "b.wav", "none.wav", "c.wav"].map { folder.path($0) }
        let outcome = try Barline.run(["analyze", "--json"] + files)
        #expect(outcome.status == 1)
        #expect(try JSONLines.objects(outcome.output).map { $0.text("file") } == [files[0], files[3]])
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count == 2)
        #expect(errors.first?.hasPrefix("barline: \(files[1]): ") == true)
        #expect(errors.last?.hasPrefix("barline: \(files[2]): ") == true)
    }

    @Test("For people it is text; without a file it is wrong usage")
    func text() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile(AnalyzeTests.clicks).bytes)
        let outcome = try Barline.run(["analyze", folder.path("a.wav")])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("120 BPM") && outcome.output.contains("LUFS"))
        #expect(try Barline.run(["analyze"]).status == 64)
    }
}

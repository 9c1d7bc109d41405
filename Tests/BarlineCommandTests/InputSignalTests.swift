import BarlineTestSupport
import Foundation
import Testing

/// `--input`: files and test signals in place of what a device gives.
@Suite("Inputs without a device")
struct InputSignalTests {
    private static let bar = 48_000

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            "set.barline",
            """
            {"barline": 1, "name": "Set", "tempo": 240,
             "inputs": [{"name": "mic", "channels": [1, 2], "monitor": "never"}], "tracks": [{"id": "t", "input": "mic"}]}
            """)
        try folder.write(
            "set.jsonl",
            """
            {"at": 0, "do": "transport", "action": "play"}
            {"at": 0.3, "do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}
            """)
        try folder.write("mic.wav", WaveFile((0..<6 * Self.bar).map { sin(Double($0 % 1_237)) * 0.3 }).bytes)
        return folder
    }

    private func rendered(_ folder: TemporaryFolder, _ signal: String, block: Int) throws -> [[Float]] {
        let outcome = try Barline.run([
            "render", folder.path("set.barline"), "--script", folder.path("set.jsonl"), "--duration", "4", "--input",
            "mic=\(signal)", "--output", folder.path("mix.wav"), "--takes-out", folder.path("takes"), "--block-size",
            "\(block)",
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try WaveContents(path: folder.path("takes/new.wav")).channels
    }

    private static func expected(_ signal: String, _ frame: Int) -> Float? {
        switch signal {
        case "silence": 0
        case "sine:997:-6":
            Float(pow(10, -0.3))
                * Float(sin(2 * Double.pi * (997.0 * Double(frame) / 48_000).truncatingRemainder(dividingBy: 1)))
        case "click:90": frame % 32_000 == 0 ? Float(0.1) : 0
        default: nil
        }
    }

    @Test(
        "The same script has the same take offline, at any block size, and live: that of the file, or of the signal's form",
        arguments: ["mic.wav", "sine:997:-6", "click:90", "noise", "silence"])
    func takes(signal: String) throws {
        let folder = try folder()
        let given = signal == "mic.wav" ? folder.path(signal) : signal
        let offline = try rendered(folder, given, block: 1_024)
        #expect(try rendered(folder, given, block: 333) == offline)
        #expect(offline[0].count == Self.bar && offline[1].count == Self.bar)
        if signal == "mic.wav" {
            let file = try WaveContents(path: given).channels[0]
            #expect(offline[0].elementsEqual(file[Self.bar..<2 * Self.bar]))
        } else {
            #expect(offline[0] == offline[1])
            for (frame, sample) in offline[0].enumerated() {
                guard let expected = Self.expected(signal, Self.bar + frame) else { break }
                try #require(abs(sample - expected) < 1e-6, "frame \(frame)")
            }
        }
        let program = try Program(
            Barline.path,
            [
                "run", folder.path("set.barline"), "--backend", "null", "--no-page", "--json", "--script",
                folder.path("set.jsonl"), "--input", "mic=\(given)",
            ],
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
        defer { program.end() }
        #expect(eventually { program.output.contains(#""event":"recordEnded""#) }, "\(program.errors)")
        // Half a second more is at both ends.
        func file() -> WaveContents? {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("audio"))) ?? []
            // Its header says less than there is while it is written.
            return names.first { $0.hasPrefix("take-") }.flatMap { try? WaveContents(path: folder.path("audio/\($0)")) }
        }
        #expect(eventually { file()?.frameCount == 2 * Self.bar })
        let live = try #require(file()).channels
        #expect(live[0][Self.bar / 2..<3 * Self.bar / 2].elementsEqual(offline[0]))
        #expect(live[1][Self.bar / 2..<3 * Self.bar / 2].elementsEqual(offline[1]))
    }

    @Test(
        "What is no signal, no file or for no input is refused in words",
        arguments: [
            ("mic=sine:a", "--input mic=sine:a: a sine's frequency in hertz is a number from 1 to 96000", 64),
            ("mic=noise:6", "the peak level in dBFS is a number from -120 to 0", 64),
            ("mic=sine:24000", "a sine's frequency is below half of the sample rate", 1),
            ("sine:440", "--input is a name and a file or a signal", 64), ("mic=none.wav", "none.wav", 1),
            ("desk=noise", "desk", 1),
        ] as [(String, String, Int32)])
    func refused(input: String, words: String, status: Int32) throws {
        let folder = try folder()
        for arguments in [
            [
                "render", folder.path("set.barline"), "--script", folder.path("set.jsonl"), "--duration", "1",
                "--output", folder.path("mix.wav"),
            ], ["run", folder.path("set.barline"), "--backend", "null", "--no-page", "--duration", "1"],
        ] {
            let outcome = try Barline.run(arguments + ["--input", input])
            #expect(outcome.status == status, "\(arguments[0]) \(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(arguments[0]) \(outcome.errors)")
        }
    }
}

import BarlineTestSupport
import Foundation
import Testing

/// What comes from standard input, and files that are written beside the one whose place they take.
@Suite("Piped audio and files of others")
struct PipedInputTests {
    /// More than is kept in memory.
    private static let tone = WaveFile([Double](repeating: 0.1, count: 400_000)).bytes

    /// What a program is told that keeps what is piped in in `folder`.
    private func environment(_ folder: TemporaryFolder) throws -> [String: String] {
        try folder.folder("tmp")
        return Barline.environment.merging(["TMPDIR": folder.path("tmp")]) { $1 }
    }

    @Test(
        "A signal while audio is piped in ends the program, and leaves nothing",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func interrupted(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let program = try Program(
            Barline.path, ["play", "-", "--backend", "null"], environment: environment(folder), in: folder.path)
        defer { program.end() }
        program.send(Self.tone)
        let kept = folder.path("tmp")
        #expect(try eventually { try !FileManager.default.contentsOfDirectory(atPath: kept).isEmpty })
        program.signal(signal)
        #expect(try program.wait(timeout: 60).status == 128 + signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).isEmpty)
    }

    @Test("Nobody else can look at what is piped in while it is read, and afterwards it is gone")
    func own() throws {
        let folder = try TemporaryFolder()
        let program = try Program(
            Barline.path, ["play", "-", "--output", "o.wav"], environment: environment(folder), in: folder.path)
        defer { program.end() }
        program.send(Self.tone)
        let kept = URL(fileURLWithPath: folder.path("tmp"))
        func names() throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: kept, includingPropertiesForKeys: nil)
        }
        #expect(try eventually { try !names().isEmpty })
        for place in try names() {
            let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
        program.closeInput()
        let outcome = try program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try names().isEmpty)
        #expect(try WaveContents(path: folder.path("o.wav")).channels[0].count == 400_000)
    }

    @Test("A link that somebody has put where a file is written is not written through")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile([Double](repeating: 0.1, count: 2_400)).bytes)
        try folder.write("precious", "precious")
        // The shell's number is that of the program that it becomes.
        let outcome = try Program.run(
            "sh",
            [
                "-c",
                #"for f in o.wav e.jsonl; do ln -s precious "$f.part$$"; done; exec "$0" play a.wav --output o.wav --events e.jsonl"#,
                Barline.path,
            ], environment: Barline.environment, in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.text("precious") == "precious")
        for name in ["o.wav", "e.jsonl"] {
            let kind = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.type] as? FileAttributeType
            #expect(kind == .typeRegular)
        }
    }

    @Test(
        "Events are not written to the file of the sound",
        arguments: [["play", "a.wav"], ["metronome", "--duration", "1"]])
    func oneFile(command: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", Self.tone)
        try folder.write("x.wav", "precious")
        let outcome = try Barline.run(command + ["--output", "x.wav", "--events", "./x.wav"], in: folder.path)
        #expect(outcome.status == 64 && outcome.errors.contains("--events and --output name one file"))
        #expect(try folder.text("x.wav") == "precious")
    }

    @Test(
        "A device is not left out of account where the output has none of that name",
        arguments: [
            (["--backend", "null", "--device", "USB"], 64), (["--backend", "jack", "--device", "USB"], 64),
            (["--backend", "portaudio", "--device", "snapcast://127.0.0.1"], 64), (["--device", "no such device"], 1),
        ] as [([String], Int32)])
    func device(options: [String], status: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", Self.tone)
        let outcome = try Barline.run(["play", "a.wav", "--duration", "0.1"] + options, in: folder.path)
        #expect(outcome.status == status && outcome.errors.contains("device"), "\(outcome.errors)")
    }

    @Test("Of several names a folder that nothing can be played of is left out, and that is said")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.folder("empty")
        try folder.write("a.wav", Self.tone)
        let outcome = try Barline.run(["play", "empty", "a.wav", "--output", "o.wav"], in: folder.path)
        #expect(outcome.status == 0 && outcome.errors.contains("/empty:"), "\(outcome.errors)")
        #expect(try WaveContents(path: folder.path("o.wav")).channels[0].count == 400_000)
    }
}

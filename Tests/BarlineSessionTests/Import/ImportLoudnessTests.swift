import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Imported clips are matched in loudness to the set. The measure is a closed form: a sine near 1 kHz on both sides is
/// as many LUFS as its peak is dB (EBU Tech 3341, case 1).
@Suite("Loudness of imported clips", .fewAtATime)
struct ImportLoudnessTests {
    private static let frames = 96_000

    private func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    private func sine(_ decibels: Double) -> [UInt8] {
        Sound.tone(ImportLoudnessTests.frames, cycles: 1_994, level: amplitude(decibels))
    }

    /// A set whose clips have these levels, with their gains.
    private func stage(_ clips: [(level: Double, gain: Double)], mode: String? = nil) async throws -> EditStage {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "removeTrack", "track": "u"}"#)
        for id in ["a", "b"] { try await stage.act(#"{"do": "removeClip", "clip": "\#(id)"}"#) }
        for (index, clip) in clips.enumerated() {
            try stage.folder.folder.write("set\(index).wav", sine(clip.level))
            try await stage.act(
                #"{"do": "addClip", "track": "t", "file": "set\#(index).wav", "set": {"gain": \#(clip.gain), "beats": 4}}"#
            )
        }
        if let mode { try await stage.act(#"{"do": "editSession", "set": {"importLoudness": "\#(mode)"}}"#) }
        return stage
    }

    /// The gain that a file gets.
    private func gain(of bytes: [UInt8], in stage: EditStage) async throws -> Double {
        try stage.folder.folder.write("new.wav", bytes)
        try await stage.act(#"{"do": "importFiles", "track": "t", "files": ["new.wav"]}"#)
        return try #require(stage.document.tracks[0].clips.last).gain
    }

    /// A set, a file, and what is to come of it.
    struct Case: Sendable {
        let set: [(level: Double, gain: Double)]
        let level: Double
        let expected: Double
    }

    private static let cases = [
        Case(set: [(-20, 0)], level: -12, expected: -8),
        Case(set: [(-20, 0)], level: -19, expected: -1),
        Case(set: [(-20, 0)], level: -30, expected: 0),
        Case(set: [(-20, 0)], level: -20, expected: 0),
        Case(set: [(-20, -6)], level: -12, expected: -14),
        Case(set: [(-30, 0), (-20, 0), (-10, 0)], level: -12, expected: -8),
        Case(set: [(-30, 0), (-10, 0)], level: -12, expected: -8),
        Case(set: [(-26, 6), (-40, 3), (-22, 0)], level: -15, expected: -7),
    ]

    @Test("A file that is louder than the median of the set gets the gain that makes it as loud", arguments: cases)
    func louder(_ this: Case) async throws {
        let stage = try await stage(this.set)
        #expect(abs(try await gain(of: sine(this.level), in: stage) - this.expected) <= 0.1)
    }

    @Test("What is brought into an empty set, or a silent one, stays as it is")
    func empty() async throws {
        #expect(try await gain(of: sine(-3), in: stage([])) == 0)
        let silent = try await stage([])
        try silent.folder.folder.write("silence.wav", WaveFile([Double](repeating: 0, count: 48_000)).bytes)
        try await silent.act(#"{"do": "addClip", "track": "t", "file": "silence.wav"}"#)
        #expect(try await gain(of: sine(-3), in: silent) == 0)
        // Several at once are matched to what was there before, not to each other.
        let together = try await stage([])
        for (index, level) in [-20.0, -6].enumerated() {
            try together.folder.folder.write("new\(index).wav", sine(level))
        }
        try await together.act(#"{"do": "importFiles", "track": "t", "files": ["new0.wav", "new1.wav"]}"#)
        #expect(together.document.tracks[0].clips.map(\.gain) == [0, 0])
    }

    @Test("One channel is measured as it is heard, from both sides")
    func mono() async throws {
        let stage = try await stage([(level: -20, gain: 0)])
        let samples = (0..<96_000).map { amplitude(-12) * sin(2 * Double.pi * 997 * Double($0) / 48_000) }
        #expect(abs(try await gain(of: WaveFile(samples).bytes, in: stage) + 8) <= 0.1)
    }

    @Test("Of a clip of the set the part counts that is played")
    func region() async throws {
        let stage = try await stage([(level: -10, gain: 0)])
        let quiet = (0..<96_000).map { frame in
            amplitude(frame < 48_000 ? -10 : -25) * sin(2 * Double.pi * 997 * Double(frame) / 48_000)
        }
        try stage.folder.folder.write("half.wav", WaveFile(quiet).bytes)
        try await stage.act(
            #"{"do": "editClip", "clip": "set0", "set": {"file": "half.wav", "start": 48000, "end": 96000}}"#)
        #expect(abs(try await gain(of: sine(-12), in: stage) + 13) <= 0.1)
    }

    @Test("With all, quieter ones are raised, as far as their true peak leaves 1 dB; with off nothing is done")
    func modes() async throws {
        #expect(abs(try await gain(of: sine(-30), in: stage([(level: -20, gain: 0)], mode: "all")) - 10) <= 0.1)
        #expect(abs(try await gain(of: sine(-12), in: stage([(level: -20, gain: 0)], mode: "all")) + 8) <= 0.1)
        #expect(try await gain(of: sine(-12), in: stage([(level: -20, gain: 0)], mode: "off")) == 0)
        // One slow hump of half the full scale in a sound of −40 LUFS.
        let peaky = (0..<192_000).map { frame in
            let hump = (96_000..<96_480).contains(frame) ? 0.5 * sin(Double.pi * Double(frame - 96_000) / 480) : 0
            return hump + amplitude(-40) * sin(2 * Double.pi * 997 * Double(frame) / 48_000) * (hump > 0 ? 0 : 1)
        }
        let raised = try await gain(of: WaveFile(peaky).bytes, in: stage([(level: -20, gain: 0)], mode: "all"))
        #expect(raised <= -1 - 20 * log10(0.5) && raised > -1 - 20 * log10(0.5) - 0.2)
    }

    @Test("The gain is part of the import's step, and reported")
    func undo() async throws {
        let stage = try await stage([(level: -20, gain: 0)])
        let before = stage.document
        try stage.folder.folder.write("new.wav", sine(-12))
        let outcome = try await stage.act(#"{"do": "importFiles", "track": "t", "files": ["new.wav"]}"#)
        guard case .array(let placed)? = outcome.result["placed"], case .object(let values)? = placed.first,
            case .number(let matched)? = values["matched"]
        else {
            Issue.record("what was done is not told")
            return
        }
        #expect(abs(matched + 8) <= 0.1 && matched == stage.document.tracks[0].clips.last?.gain)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document == before)
    }

    @Test("The setting is kept in the session; what it can't be is refused")
    func setting() async throws {
        let stage = try await stage([], mode: "all")
        #expect(try SessionDocument(stage.document.json, file: "test").importLoudness == .all)
        #expect(
            try SessionDocument(JSONValue(parsing: Data(#"{"barline": 1}"#.utf8)), file: "test").importLoudness
                == .louder)
        let error = await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "editSession", "set": {"importLoudness": "loud"}}"#)
        }
        #expect(error.map { "\($0)".contains("\"off\" or \"louder\" or \"all\"") } == true)
    }
}

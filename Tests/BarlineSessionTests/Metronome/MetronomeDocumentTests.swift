import BarlineEngine
import BarlineTestSupport
import Testing

@testable import BarlineSession

/// The metronome in a session's file.
@Suite("The metronome of a session", .fewAtATime)
struct MetronomeDocumentTests {
    static let text = """
        {"barline": 1, "metronome": {"enabled": true, "gain": -6, "accentFrequency": 1500, "beatFrequency": 700,
         "accentLevel": 0.5, "beatLevel": 0.25, "sound": "woodblock", "pattern": "X.x", "subdivision": 3, "swing": 60,
         "countIn": 2, "output": "phones", "flavour": "oak"}}
        """

    @Test("Every key is read, written, and what is unknown kept")
    func roundTrip() throws {
        let folder = try SessionFolder()
        let document = try folder.document(MetronomeDocumentTests.text)
        let metronome = document.metronome
        #expect(metronome.isEnabled && metronome.gain == -6 && metronome.sound == .woodblock)
        #expect(metronome.accentFrequency == 1500 && metronome.beatFrequency == 700)
        #expect(metronome.accentLevel == 0.5 && metronome.beatLevel == 0.25)
        #expect(metronome.pattern.description == "X.x" && metronome.subdivision == 3 && metronome.swing == 60)
        #expect(metronome.countIn == 2 && metronome.rest == ["flavour": "oak"])
        #expect(document.outputs == ["main", "phones"])
        try document.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path) == document)
    }

    @Test("A session without one has one that is off, as the format has it")
    func defaults() throws {
        let metronome = try SessionFolder().document(#"{"barline": 1}"#).metronome
        #expect(metronome == MetronomeDocument())
        #expect(!metronome.isEnabled && metronome.gain == 0 && metronome.output == "main")
        #expect(metronome.accentFrequency == 1200 && metronome.beatFrequency == 800)
        #expect(metronome.accentLevel == 0.9 && metronome.beatLevel == 0.6 && metronome.countIn == 0)
    }

    static let wrong = [
        (#""enabled""#, "1"), (#""gain""#, #""loud""#), (#""accentFrequency""#, "5"), (#""beatFrequency""#, "1e6"),
        (#""accentLevel""#, "2"), (#""beatLevel""#, "-1"), (#""sound""#, #""cowbell""#), (#""pattern""#, #""Xo""#),
        (#""subdivision""#, "5"), (#""subdivision""#, "1.5"), (#""swing""#, "80"), (#""countIn""#, "17"),
        (#""output""#, "2"), (#""file""#, "3"),
    ]

    @Test("A wrong value is reported with its file and key", arguments: wrong)
    func wrongValues(key: String, value: String) throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document("{\"barline\": 1, \"metronome\": {\(key): \(value)}}")
        }
        #expect("\(error)".hasPrefix("\(folder.path): metronome.\(key.dropFirst().dropLast()): "), "\(error)")
    }

    @Test("A click's file that is not there, and a frequency that the rate can't have, are reported with their keys")
    func unplayable() async throws {
        let folder = try SessionFolder()
        let missing = await #expect(throws: SessionError.self) {
            _ = try await folder.player(#"{"barline": 1, "metronome": {"file": "tock.wav"}}"#)
        }
        #expect("\(missing.map { "\($0)" } ?? "")".hasPrefix("\(folder.path): metronome.file: "))
        // Live all else plays, and the click is the metronome's own.
        let live = try await folder.player(
            #"{"barline": 1, "metronome": {"enabled": true, "file": "tock.wav"}}"#, policy: .lenient)
        #expect(live.clickProblems.map { $0.hasPrefix("\(folder.path): metronome.file: ") } == [true])
        let stage = Stage(live)
        try live.perform(.transport(isRolling: true))
        stage.play(4_800)
        #expect(stage.left.contains { $0 != 0 })
        let tooHigh = await #expect(throws: SessionError.self) {
            _ = try await folder.player(
                #"{"barline": 1, "metronome": {"beatFrequency": 5000}}"#, sampleRate: 8000)
        }
        #expect("\(tooHigh.map { "\($0)" } ?? "")".hasPrefix("\(folder.path): metronome: "))
    }
}

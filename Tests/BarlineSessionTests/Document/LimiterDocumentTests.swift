import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// The limiter in the session: `master.limiter` and `master.ceiling`.
@Suite("The session's limiter", .fewAtATime)
struct LimiterDocumentTests {
    private func document(_ master: String) throws -> SessionDocument {
        try SessionFolder().document(#"{"barline": 1, "master": \#(master)}"#)
    }

    @Test("It is on, at -1 dBTP, unless the session says otherwise")
    func values() throws {
        #expect(try document("{}").limiter == LimiterSettings(isOn: true, ceiling: Decibels(-1)))
        #expect(try document(#"{"limiter": null, "ceiling": null}"#).limiter == LimiterSettings())
        let other = try document(#"{"gain": -2, "limiter": false, "ceiling": -0.3, "colour": 4}"#)
        #expect(other.limiter == LimiterSettings(isOn: false, ceiling: Decibels(-0.3)) && other.masterGain == -2)
        let folder = try SessionFolder()
        try other.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path) == other)
        let saved = try JSONValue(parsing: Data(try folder.folder.text("set.barline").utf8))
        guard case .object(let keys) = saved, case .object(let master) = keys["master"] else {
            Issue.record("there is no master")
            return
        }
        #expect(master == ["gain": -2, "limiter": false, "ceiling": -0.3, "colour": 4])
    }

    @Test(
        "What it can't be is refused, with the key and what was expected",
        arguments: ["0.1", "-24.1", "\"loud\"", "true"])
    func wrongCeiling(value: String) throws {
        let error = #expect(throws: SessionError.self) { try document(#"{"ceiling": \#(value)}"#) }
        let text = try #require(error.map { "\($0)" })
        #expect(text.contains("master.ceiling") && text.contains("from -24 to 0 dB"), "\(text)")
        #expect(throws: SessionError.self) { try document(#"{"limiter": "on"}"#) }
    }

    @Test("It is edited with the rest of the master left as it is, heard at once, and undone")
    func editing() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "gain", "db": -3}"#)
        try await stage.act(#"{"do": "editSession", "set": {"master": {"limiter": false}}}"#)
        #expect(stage.document.limiter == LimiterSettings(isOn: false) && stage.document.masterGain == -3)
        #expect(stage.session.status.undo == "Change limiter")
        try await stage.act(#"{"do": "editSession", "set": {"master": {"ceiling": -6}}}"#)
        #expect(stage.document.limiter == LimiterSettings(isOn: false, ceiling: Decibels(-6)))
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "editSession", "set": {"master": {"ceiling": 3}}}"#)
        }
        for _ in 0..<2 { try await stage.act(#"{"do": "undo"}"#) }
        #expect(stage.document.limiter.isOn && stage.document.masterGain == -3)
    }

    @Test("An edit reaches the sound: on, off and with another ceiling")
    func heard() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.tone(48_000, cycles: 220))
        let document = try folder.document(
            """
            {"barline": 1, "launchQuantization": "none", "master": {"gain": 12},
             "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 2}]}]}
            """)
        let player = try await SessionPlayer(document, path: folder.path) { $0.limiter = document.limiter }
        let session = LiveSession(player, library: EditStage.library(folder))
        let stage = Stage(player)
        try player.perform(.launch(clip: "a"))
        func peak(after json: String?) async throws -> Float {
            if let json {
                let value = try JSONValue(parsing: Data(json.utf8))
                _ = try await session.perform(try ControlAction(value, source: "test"))
            }
            stage.play(48_000)
            return stage.left.suffix(4_800).map { abs($0) }.max() ?? 0
        }
        #expect(try await peak(after: nil) <= 0.8913)
        #expect(try await peak(after: #"{"do": "editSession", "set": {"master": {"limiter": false}}}"#) > 0.95)
        let lower = #"{"do": "editSession", "set": {"master": {"limiter": true, "ceiling": -12}}}"#
        let limited = try await peak(after: lower)
        #expect(limited <= 0.2512 && limited > 0.2)
    }
}

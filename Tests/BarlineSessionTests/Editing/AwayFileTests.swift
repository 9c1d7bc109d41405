import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Files that are away while a session plays what it has read of them.
@Suite("Files that are away", .fewAtATime)
struct AwayFileTests {
    private static let edits = [
        #"{"do": "editClip", "clip": "a", "set": {"name": "Other"}}"#,
        ##"{"do": "editClip", "clip": "a", "set": {"color": "#ff0000"}}"##,
        #"{"do": "moveClip", "clip": "a", "slot": 5}"#,
        #"{"do": "editClip", "clip": "a", "set": {"gain": -6}}"#,
        #"{"do": "undo"}"#,
        #"{"do": "moveClip", "clip": "a", "slot": 0, "track": "u"}"#,
        #"{"do": "editPad", "pad": "p", "set": {"name": "Boom"}}"#,
        #"{"do": "saveAs", "name": "Elsewhere"}"#,
        #"{"do": "editClip", "clip": "a", "set": {"gain": -3}}"#,
    ]

    /// What is heard while the edits are made, a pad is hit after all, and what warnings there are.
    private func play(away: Bool) async throws -> (sound: [Float], warnings: [String], stage: EditStage) {
        let document = EditStage.document.replacingOccurrences(
            of: #""markers""#, with: #""pads": [{"id": "p", "file": "b.wav", "slot": 0}], "markers""#)
        let stage = try await EditStage(document)
        try await stage.act(#"{"do": "transport", "action": "play"}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.stage.play(4_096)
        let folder = stage.folder.folder
        if away {
            for name in ["a.wav", "b.wav"] {
                try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path("away-\(name)"))
            }
        }
        for edit in Self.edits {
            try await stage.act(edit)
            for _ in 0..<8 { stage.stage.play(512) }
        }
        let warnings = stage.session.player.warnings
        try await stage.act(#"{"do": "hit", "pad": "p"}"#)
        for _ in 0..<8 { stage.stage.play(512) }
        return (stage.stage.left, warnings, stage)
    }

    @Test("What is in memory plays on, whatever is changed and wherever the session is saved, and it is said")
    func playsOn() async throws {
        let present = try await play(away: false)
        let away = try await play(away: true)
        #expect(away.sound == present.sound)
        #expect(present.warnings.isEmpty)
        let player = away.stage.session.player
        #expect(player.clips.values.allSatisfy { $0.problem == nil })
        #expect(player.pads.values.allSatisfy { $0.problem == nil })
        #expect(away.warnings.contains { $0.contains("a.wav") && $0.contains("plays from memory") })
        // What is found again is read again.
        let folder = away.stage.folder.folder
        for name in ["a.wav", "b.wav"] {
            try FileManager.default.moveItem(atPath: folder.path("away-\(name)"), toPath: folder.path(name))
        }
        try await away.stage.act(#"{"do": "findFiles"}"#)
        #expect(player.warnings.isEmpty)
    }

    @Test("A clip that gets another file, which is not there, does not play the one that it had")
    func otherFile() async throws {
        let stage = try await EditStage()
        let player = stage.session.player
        _ = try await player.change { document throws(SessionError) in
            document.withFiles { $0 == "a.wav" ? "nowhere.wav" : $0 }
        }
        #expect(player.clips["a"]?.problem != nil && player.clips["b"]?.problem == nil)
    }
}

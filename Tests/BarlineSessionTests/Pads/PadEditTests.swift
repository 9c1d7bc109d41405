import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Pads that are added, changed, moved and taken out while they play.
@Suite("Edits of pads", .fewAtATime)
struct PadEditTests {
    @Test("A file becomes a pad with a note and a colour, is hit, and undo and redo take it away and back")
    func adding() async throws {
        let stage = try await PadStage(#"{"barline": 1}"#)
        #expect(try await stage.act(#"{"do": "addPad", "file": "kick.wav"}"#).result["pad"] == "kick")
        #expect(stage.document.pads.map(\.note) == [36] && stage.document.pads[0].color?.first == "#")
        try await stage.act(#"{"do": "hit", "pad": "kick"}"#)
        #expect(stage.peak() > 0.1)
        let second = try await stage.act(
            #"{"do": "addPad", "file": "kick.wav", "slot": 0, "set": {"name": "Tom", "pitch": -5}}"#)
        #expect(
            second.result["pad"] == "kick-2" && stage.document.pads[1].slot == 1 && stage.document.pads[1].note == 37)
        try await stage.act(#"{"do": "addPad", "file": "open.wav", "slot": 0, "replace": true}"#)
        #expect(Set(stage.document.pads.map(\.id)) == ["open", "kick-2"])
        stage.stage.play(20_000)
        for _ in 0..<3 { try await stage.act(#"{"do": "undo"}"#) }
        #expect(stage.document.pads.isEmpty && stage.session.player.pads.isEmpty)
        for _ in 0..<3 { try await stage.act(#"{"do": "redo"}"#) }
        try await stage.act(#"{"do": "hit", "pad": "open"}"#)
        #expect(stage.peak() > 0.1)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "hit", "pad": "kick"}"#) }
    }

    @Test("An import brings files to free places in one step, and tells of those that can't be read")
    func importing() async throws {
        let stage = try await PadStage()
        try stage.folder.folder.write("bad.wav", Array("no sound".utf8))
        let done = try await stage.act(
            #"{"do": "importFiles", "to": "pads", "slot": 4, "files": ["open.wav", "bad.wav", {"file": "closed.wav", "name": "Hat"}]}"#
        )
        #expect(done.result["pads"] == ["open-2", "hat"])
        guard case .array(let problems)? = done.result["problems"] else {
            Issue.record("nothing is told")
            return
        }
        #expect(problems.count == 1)
        let slots = Dictionary(stage.document.pads.map { ($0.id, $0.slot) }, uniquingKeysWith: { $1 })
        #expect(slots["open-2"] == 5 && slots["hat"] == 6)
        try await stage.act(
            #"{"do": "importFiles", "to": "pads", "slot": 0, "replace": true, "files": ["kick.wav"]}"#)
        #expect(stage.document.pads.first { $0.slot == 0 }?.file == "kick.wav")
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.pads.map(\.id) == ["open", "closed", "kick", "gone"])
    }

    @Test("A pad is edited and moved while it sounds, and keeps keys that nobody knows")
    func editing() async throws {
        let stage = try await PadStage()
        try await stage.act(#"{"do": "hit", "pad": "open"}"#)
        _ = stage.peak(1_000)
        try await stage.act(#"{"do": "editPad", "pad": "open", "set": {"gain": null, "name": "Open"}}"#)
        #expect(stage.peak(1_000) > 0.1, "what sounds of it sounds on")
        try await stage.act(#"{"do": "choke"}"#)
        stage.stage.play(1_000)
        try await stage.act(#"{"do": "hit", "pad": "open"}"#)
        #expect(stage.peak() == 0)
        #expect(stage.document.pads[0].rest == ["hue": 7] && stage.session.status.undo == "Edit pad")
        try await stage.act(#"{"do": "movePad", "pad": "open", "slot": 4}"#)
        #expect(stage.document.pads.map(\.slot) == [4, 1, 0, 9])
        try await stage.act(#"{"do": "movePad", "pad": "open", "slot": 15}"#)
        #expect(stage.document.pads.map(\.slot) == [15, 1, 0, 9])
        try await stage.act(#"{"do": "removePad", "pad": "open"}"#)
        #expect(stage.document.pads.map(\.id) == ["closed", "kick", "gone"])
        for (action, key) in [
            (#"{"do": "editPad", "pad": "kick", "set": {"slot": 3}}"#, "set.slot"),
            (#"{"do": "editPad", "pad": "kick", "set": {"file": "/etc/passwd"}}"#, "set.file"),
            (#"{"do": "addPad", "file": "../x.wav"}"#, "file"), (#"{"do": "movePad", "pad": "x", "slot": 0}"#, "pad"),
        ] {
            let error = await #expect(throws: SessionError.self, "\(action)") { try await stage.act(action) }
            #expect("\(try #require(error))".contains("\(key): "))
        }
    }

    @Test(
        "A file that is missing leaves its pad silent and is reported; the others play, and it plays when it is there")
    func missing() async throws {
        let stage = try await PadStage()
        #expect(stage.session.player.warnings.contains { $0.contains("pads[3].file") })
        let error = await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "hit", "pad": "gone"}"#) }
        #expect("\(try #require(error))".contains("gone.wav"))
        try await stage.act(#"{"do": "hit", "pad": "closed"}"#)
        #expect(stage.peak() > 0.05)
        try stage.folder.folder.write("gone.wav", Sound.noise(5_000, seed: 8))
        try await stage.act(#"{"do": "editPad", "pad": "kick", "set": {"name": "Any"}}"#)
        try await stage.act(#"{"do": "hit", "pad": "gone"}"#)
        #expect(stage.peak() > 0.1)
        await #expect(throws: SessionError.self) {
            try await stage.folder.player(#"{"barline": 1, "pads": [{"id": "x", "file": "nowhere.wav"}]}"#)
        }
    }

    @Test("Their strip has a fader, a balance, a mute, a solo and effects, which the session keeps")
    func strip() async throws {
        let stage = try await PadStage()
        func sound() async throws -> Float {
            try await stage.act(#"{"do": "hit", "pad": "open"}"#)
            let peak = stage.peak()
            try await stage.act(#"{"do": "choke"}"#)
            stage.stage.play(1_000)
            return peak
        }
        let loud = try await sound()
        try await stage.act(#"{"do": "gain", "strip": "pads", "db": -20}"#)
        stage.stage.play(1_000)
        #expect(abs(try await sound() / loud - 0.1) < 0.001)
        #expect(stage.document.padSet.gain == -20 && stage.session.status.undo == "Move fader of pads")
        try await stage.act(#"{"do": "toggle", "what": "mute", "strip": "pads"}"#)
        stage.stage.play(1_000)
        #expect(try await sound() == 0)
        try await stage.act(#"{"do": "editPadSet", "set": {"mute": false, "gain": 0, "pan": 1}}"#)
        stage.stage.play(1_000)
        #expect(try await sound() > 0.1)
        #expect(stage.stage.left.suffix(2_500).allSatisfy { $0 == 0 }, "only the right side sounds")
        try await stage.act(#"{"do": "solo", "strip": "pads", "on": true}"#)
        try await stage.act(#"{"do": "addEffect", "strip": "pads", "type": "filter", "set": {"cutoff": 20}}"#)
        stage.stage.play(1_000)
        #expect(try await sound() < loud / 10)
        #expect(stage.document.padSet.solo && stage.document.padSet.effects.count == 1)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "gain", "strip": "x", "db": 0}"#) }
        let saved = try SessionDocument(stage.document.json, file: "again")
        #expect(saved == stage.document)
        let again = Stage(try await SessionPlayer(saved, path: stage.folder.path, policy: .lenient))
        again.play(512)
        #expect(again.player.engine.state.padStrip.isSoloed)
    }

    @Test("Saved under another name, its pads play from where their files are; another session has none of them")
    func saving() async throws {
        let stage = try await PadStage()
        try await stage.act(#"{"do": "saveAs", "name": "Copy"}"#)
        #expect(stage.document.pads[0].file.hasSuffix("open.wav"))
        let read = try SessionDocument(path: stage.session.player.path)
        #expect(read.pads == stage.document.pads)
        try await stage.act(#"{"do": "hit", "pad": "open"}"#)
        #expect(stage.peak() > 0.1)
        try await stage.act(#"{"do": "new", "discard": true}"#)
        stage.stage.play(1_000)
        #expect(stage.peak() == 0 && stage.session.player.pads.isEmpty)
    }
}

import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Effects in the session's file: read, written, kept and refused.
@Suite("Effects in a session's file", .fewAtATime)
struct EffectDocumentTests {
    private static let text = """
        {"barline": 1, "tracks": [{"id": "t", "effects": [
          {"id": "f", "type": "filter", "cutoff": 800, "mode": "notch", "bypass": true, "colour": "warm"},
          {"id": "r", "type": "reverb", "cutoff": "wide", "size": [1, 2]}]}],
         "stems": [{"id": "s", "file": "s.wav", "effects": [{"id": "f", "type": "filter"}]}],
         "master": {"effects": [{"id": "m", "type": "filter", "resonance": 4.5}]},
         "metronome": {"effects": [{"id": "c", "type": "filter"}]},
         "playlistSettings": {"effects": [{"id": "p", "type": "filter"}]}}
        """

    private func read(_ text: String) throws -> SessionDocument {
        try SessionDocument(JSONValue(parsing: Data(text.utf8)), file: "set")
    }

    @Test("Every strip has its own, and what is written is what was read")
    func roundTrip() throws {
        let document = try read(EffectDocumentTests.text)
        let track = try #require(document.tracks.first).effects
        #expect(track.map(\.id) == ["f", "r"])
        #expect(track[0].parameters == ["cutoff": 800, "mode": 3] && track[0].bypass)
        #expect(track[0].rest == ["colour": "warm"])
        #expect(document[effects: .stem("s")].map(\.id) == ["f"])
        #expect(document[effects: .master].map(\.parameters) == [["resonance": 4.5]])
        #expect(document[effects: .metronome].count == 1 && document[effects: .playlist].count == 1)
        let again = try SessionDocument(document.json, file: "set")
        #expect(again.json == document.json)
        guard case .object(let written) = track[0].json else { return }
        #expect(written["mode"] == "notch" && written["resonance"] == 0.707 && written["colour"] == "warm")
    }

    @Test("An effect of another version is kept as it is, not heard, and reported in words")
    func unknownType() throws {
        let document = try read(EffectDocumentTests.text)
        let effect = try #require(document.tracks.first?.effects.last)
        #expect(effect.kind == nil && effect.settings == nil)
        #expect(effect.json == ["id": "r", "type": "reverb", "bypass": false, "cutoff": "wide", "size": [1, 2]])
        let warnings = document.unknownEffects(path: "set")
        #expect(
            warnings.map(\.description) == [
                "set: tracks[0].effects[1].type: there is no effect \"reverb\"; it is kept, and not heard"
            ])
        #expect(warnings.map(\.words) == ["The effect “reverb” of “t” is not known here; it is kept, and not heard."])
    }

    @Test("Songs and follow actions, which are not played, are kept and reported in words")
    func unplayed() throws {
        let document = try read(
            """
            {"barline": 1, "songs": [{"id": "one", "tempo": 90}], "tracks": [{"id": "t", "clips": [
              {"id": "a", "file": "a.wav", "followAction": {"after": 1, "unit": "bars", "actions": [{"do": "next"}]}},
              {"id": "b", "file": "a.wav", "slot": 1}]}]}
            """)
        let warnings = document.unplayedParts(path: "set")
        #expect(
            warnings.map(\.description) == [
                "set: songs: can't be played by this version; they are kept",
                "set: tracks[0].clips[0].followAction: can't be done by this version: the clip plays on; it is kept",
            ])
        guard case .object(let written) = document.json else { return }
        #expect(written["songs"] == [["id": "one", "tempo": 90]])
        #expect(document.tracks[0].clips[0].rest["followAction"] != nil)
        #expect(try read(EffectDocumentTests.text).unplayedParts(path: "set").isEmpty)
    }

    @Test("A session without effects is written without the key")
    func none() throws {
        let document = try read(#"{"barline": 1, "tracks": [{"id": "t"}]}"#)
        #expect(!document.json.line.contains("effects"))
    }

    @Test(
        "What can't be is refused, and the key is named",
        arguments: [
            (#"{"id": "f", "type": "filter", "cutoff": 19}"#, "cutoff: expected a number from 20 to 20000, found 19"),
            (
                #"{"id": "f", "type": "filter", "resonance": 21}"#,
                "resonance: expected a number from 0.5 to 20, found 21"
            ),
            (#"{"id": "f", "type": "filter", "mode": "comb"}"#, "mode: expected \"lowpass\" or"),
            (#"{"id": "f"}"#, "type: expected a text, found nothing"),
            (#"{"type": "filter"}"#, "id: expected a text, found nothing"),
        ])
    func refusals(effect: String, expected: String) throws {
        let text = #"{"barline": 1, "tracks": [{"id": "t", "effects": [\#(effect)]}]}"#
        let error = #expect(throws: SessionError.self) { try read(text) }
        #expect(
            "\(try #require(error))".hasPrefix("set: tracks[0].effects[0].\(expected)"), "\(String(describing: error))")
    }

    @Test("Two of one name in a strip, and more than there is room for, are refused")
    func many() throws {
        func session(_ ids: [String]) -> String {
            let effects = ids.map { #"{"id": "\#($0)", "type": "filter"}"# }.joined(separator: ",")
            return #"{"barline": 1, "master": {"effects": [\#(effects)]}}"#
        }
        #expect(throws: SessionError.duplicate(path: "set", key: "master.effects[1].id", id: "a")) {
            try read(session(["a", "a"]))
        }
        #expect(
            throws: SessionError.value(
                path: "set", key: "master.effects", expected: "at most 8 effects", found: "9")
        ) { try read(session((0..<9).map { "f\($0)" })) }
        #expect(try read(session((0..<8).map { "f\($0)" })).masterEffects.count == 8)
    }
}

import BarlineEngine
import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What people who make music are told has no path and no key in it.
@Suite("Errors in words", .fewAtATime)
struct WordsTests {
    /// What is for programs in a sentence; `nil` where there is nothing.
    static func jargon(_ words: String) -> String? {
        let forbidden = [
            #"\.barline"#, #"(^|[\s“])/\w"#, #"\w\[\d*\]"#, #"\b(action|set|tracks|clips|stems|scenes|test)[.:]"#,
            "[a-z][A-Z]", "\"", "expected",
        ]
        return forbidden.first { words.range(of: $0, options: .regularExpression) != nil }
    }

    @Test(
        "Of what an action asks for",
        arguments: [
            #"{"clip": "x"}"#, #"{"do": "editClip", "clip": "x"}"#,
            #"{"do": "editClip", "clip": "x", "set": {}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"start": 96000}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"beats": -1}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"slot": 1}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"launchMode": "never"}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"playback": "granular"}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"file": "/etc/passwd"}}"#,
            #"{"do": "addClip", "track": "t", "file": "../../../../etc/passwd"}"#,
            #"{"do": "removeScene", "scene": 9}"#, #"{"do": "removeTrack", "track": "x"}"#,
            #"{"do": "addMarker", "name": "Verse"}"#, #"{"do": "editSession", "set": {"tracks": []}}"#,
            #"{"do": "editMetronome", "set": {"swing": 90}}"#, #"{"do": "correctTempo", "clip": "a", "by": "magic"}"#,
            #"{"do": "correctTempo", "clip": "a", "taps": [1]}"#, #"{"do": "undo"}"#,
            #"{"do": "open", "name": "../secret"}"#, #"{"do": "open", "name": "None"}"#,
            #"{"do": "renameSession", "name": "None", "to": "Other"}"#, #"{"do": "deleteSession", "name": "a/b"}"#,
            #"{"do": "new", "name": "Fresh"}"#, #"{"do": "recover"}"#, #"{"do": "record", "on": false}"#,
            #"{"do": "launch", "clip": "x"}"#, #"{"do": "tempo", "bpm": -3}"#, #"{"do": "dance"}"#,
            #"{"do": "stems", "action": "seek", "marker": "x"}"#, #"{"do": "quantization", "value": "3 bars"}"#,
        ])
    func actions(action: String) async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "addTrack"}"#)
        if action.contains("undo") { try await stage.act(#"{"do": "undo"}"#) }
        let error = await #expect(throws: SessionError.self) { try await stage.act(action) }
        let words = try #require(error?.words)
        #expect(WordsTests.jargon(words) == nil, "\(words)")
        #expect(words.count > 10 && words.hasSuffix(".") && words.first?.isLowercase == false, "\(words)")
    }

    @Test(
        "Of what is not there, by its name",
        arguments: [
            (#"{"do": "launch", "clip": "x y"}"#, "There is no clip “x y”."),
            (#"{"do": "hit", "pad": "x y"}"#, "There is no pad “x y”."),
            (#"{"do": "editPad", "pad": "x y", "set": {}}"#, "There is no pad “x y”."),
            (#"{"do": "removeEffect", "track": "t", "effect": "x y"}"#, "There is no effect “x y”."),
            (#"{"do": "editInput", "input": "x y", "set": {}}"#, "There is no input “x y”."),
            (#"{"do": "stop", "track": "x y"}"#, "There is no track “x y”."),
            (#"{"do": "launchScene", "scene": 9}"#, "There is no such scene."),
        ])
    func missing(action: String, words: String) async throws {
        let stage = try await EditStage()
        let error = await #expect(throws: SessionError.self) { try await stage.act(action) }
        #expect(error?.words == words)
    }

    @Test("What is missing is named")
    func missing() async throws {
        let stage = try await EditStage()
        let error = await #expect(throws: SessionError.self) { try await stage.act(#"{"clip": "x"}"#) }
        #expect(error?.words == "“do” is missing.")
    }

    @Test("Of what a session's file says, with its name")
    func files() throws {
        for text in [
            #"{"barline": 2}"#, #"{"barline": 1, "tempo": "fast"}"#,
            #"{"barline": 1, "tracks": [{"id": "a"}, {"id": "a"}]}"#,
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a"}]}]}"#, "{", "",
        ] {
            let folder = try SessionFolder()
            let error = #expect(throws: SessionError.self) { try folder.document(text) }
            let words = try #require(error?.words)
            #expect(WordsTests.jargon(words) == nil, "\(words)")
            #expect(words.contains("“set”"), "\(words)")
            // For terminals and programs it is still all there.
            #expect("\(try #require(error))".contains(folder.path))
        }
        let missing = SessionError.file(path: "/music/Set one.barline", reason: "can't be opened: No such file")
        #expect(missing.words == "“Set one” can't be opened: No such file.")
    }

    @Test("Of audio that can't be played, and of clips whose tempo is unknown")
    func clips() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("noise.wav", Sound.noise(96_000, seed: 3))
        try folder.folder.write("broken.wav", "no audio")
        let player = try await folder.player(
            #"""
            {"barline": 1, "tempo": 1500, "scenes": [{"tempo": 5}], "tracks": [{"id": "t", "clips": [
             {"id": "a", "name": "Noise", "file": "noise.wav"}, {"id": "b", "file": "broken.wav"},
             {"id": "c", "file": "deep/down/missing.wav"}, {"id": "d", "file": "noise.wav", "start": 96000}]}]}
            """#, policy: .lenient)
        #expect(player.advice.count == 6 && player.advice.map(\.description) == player.warnings)
        for advice in player.advice {
            #expect(WordsTests.jargon(advice.words) == nil, "\(advice.words)")
            #expect(!advice.words.contains(folder.folder.path("")), "\(advice.words)")
            #expect(advice.description.contains(folder.path))
        }
        let words = player.advice.map(\.words)
        #expect(words.contains("“Noise”: tempo unknown: plays at its own speed."))
        #expect(words.contains { $0.hasPrefix("“missing.wav” can't be opened") })
        #expect(words.contains("1500.0 BPM is played as 999.0 BPM."))
    }
}

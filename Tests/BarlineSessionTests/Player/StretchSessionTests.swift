import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Clips of a session whose pitch is kept.
@Suite("Pitch and tempo of clips", .fewAtATime)
struct StretchSessionTests {
    private func settings(_ more: String) async throws -> ClipSettings {
        let folder = try SessionFolder()
        // A click in every quarter of the second.
        var samples = [Double](repeating: 0, count: 48_000)
        for beat in 0..<4 {
            for index in 0..<600 {
                samples[beat * 12_000 + index] = 0.8 * cos(0.9 * Double(index)) * exp(-Double(index) / 90)
            }
        }
        try folder.folder.write("a.wav", WaveFile(samples).bytes)
        let player = try await folder.player(
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 2\#(more)}]}]}"#)
        let handle = try #require(player.clips["a"]?.handle)
        return try #require(player.engine.launcher.settings(of: handle))
    }

    @Test("Its pitch, and the attacks that are heard, reach the engine")
    func heard() async throws {
        let settings = try await settings(#", "playback": "stretch", "transpose": -2.5"#)
        #expect(settings.playback == .stretch && settings.beats == 2 && settings.transposition == -2.5)
        #expect(settings.onsets.count >= 3 && settings.stretchMode == .beats)
        for onset in settings.onsets {
            let late = (onset + 96) % 12_000 - 96
            #expect((-96...0).contains(late), "\(onset)")
        }
    }

    @Test("The session's own attacks go before those that are heard")
    func given() async throws {
        let settings = try await settings(#", "playback": "stretch", "onsets": [0, 777, 30000]"#)
        #expect(settings.onsets == [0, 777, 30_000])
    }

    @Test("The session's own mode goes before the one that suits the sound", arguments: StretchMode.allCases)
    func mode(mode: StretchMode) async throws {
        let settings = try await settings(#", "playback": "stretch", "stretchMode": "\#(mode.rawValue)""#)
        #expect(settings.stretchMode == mode)
    }

    @Test("What a mode can be told reaches the engine")
    func parameters() async throws {
        let settings = try await settings(
            #", "playback": "stretch", "stretchKeep": 55, "stretchDecay": 250, "stretchCut": 6, "#
                + #""stretchGrain": "short", "formants": -1.5"#)
        #expect(
            settings.stretch
                == StretchParameters(kept: 0.55, decay: 0.25, cutRise: 6, grain: .short, formants: -1.5))
        #expect(try await self.settings(#", "playback": "stretch""#).stretch == StretchParameters())
    }

    @Test("By varispeed nobody listens for attacks")
    func varispeed() async throws {
        #expect(try await settings(#", "transpose": 3"#).onsets.isEmpty)
    }

    @Test(
        "What is wrong is refused by key",
        arguments: [
            (#""transpose": 24.1"#, "transpose"), (#""transpose": "up""#, "transpose"), (#""onsets": 5"#, "onsets"),
            (#""onsets": [5, 5]"#, "onsets"), (#""onsets": [9, 5]"#, "onsets"), (#""onsets": [0.5]"#, "onsets"),
            (#""onsets": [-1]"#, "onsets"), (#""playback": "granular""#, "playback"),
            (#""stretchMode": "voices""#, "stretchMode"), (#""stretchKeep": 9"#, "stretchKeep"),
            (#""stretchKeep": 101"#, "stretchKeep"), (#""stretchDecay": 9"#, "stretchDecay"),
            (#""stretchCut": 41"#, "stretchCut"), (#""stretchGrain": "tiny""#, "stretchGrain"),
            (#""formants": "yes""#, "formants"), (#""formants": 25"#, "formants"),
        ])
    func refusals(text: String, key: String) throws {
        let folder = try SessionFolder()
        let error = #expect(throws: SessionError.self) {
            try folder.document(
                #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", \#(text)}]}]}"#)
        }
        #expect("\(try #require(error))".contains("tracks[0].clips[0].\(key)"))
    }

    @Test("It is saved as it was, and left out where it says nothing")
    func saving() throws {
        let text =
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "playback": "stretch", "transpose": 7.25, "stretchDecay": 300, "formants": 0, "onsets": [3, 9]}, {"id": "b", "file": "b.wav"}]}]}"#
        let document = try SessionFolder().document(text)
        let clips = document.tracks[0].clips.map(\.values)
        #expect(clips[0]["transpose"] == .number(7.25))
        #expect(clips[0]["onsets"] == [3, 9])
        #expect(clips[0]["stretchDecay"] == 300 && clips[0]["formants"] == 0)
        #expect(clips[1]["transpose"] == nil && clips[1]["onsets"] == nil)
        for key in ["stretchKeep", "stretchDecay", "stretchCut", "stretchGrain", "formants"] {
            #expect(clips[1][key] == nil, "\(key)")
        }
    }

    @Test("An edit sets it, and is undone")
    func undo() async throws {
        let stage = try await EditStage()
        func clip() -> ClipDocument { stage.document.tracks[0].clips[0] }
        let before = clip()
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"playback": "stretch", "transpose": 5}}"#)
        #expect(clip().playback == .stretch && clip().transpose == 5)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(clip() == before)
        try await stage.act(#"{"do": "formantsOfClip", "clip": "a", "semitones": 0}"#)
        #expect(clip().formants == 0)
        try await stage.act(
            #"{"do": "stretchClip", "clip": "a", "mode": "beats", "keep": 100, "decay": 400, "cut": 3, "#
                + #""grain": "medium"}"#
        )
        #expect(clip().playback == .stretch && clip().stretchMode == .beats && clip().stretchKeep == 100)
        #expect(clip().stretchDecay == 400 && clip().stretchCut == 3 && clip().stretchGrain == .medium)
        try await stage.act(#"{"do": "formantsOfClip", "clip": "a"}"#)
        #expect(clip().formants == nil)
        for _ in 0..<3 { try await stage.act(#"{"do": "undo"}"#) }
        #expect(clip() == before)
    }
}

import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Effects in a session that plays: edits, automation, and recordings of both.
@Suite("Effects in a session that plays", .fewAtATime)
struct EffectPlayTests {
    private func loudness(_ samples: ArraySlice<Float>) -> Float { samples.map { $0 * $0 }.reduce(0, +) }

    @Test("An effect is added, set, bypassed and taken out while it plays, and undo takes that back")
    func edits() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.stage.play(12_000)
        func sound() -> Float {
            stage.stage.play(12_000)
            return loudness(stage.stage.left.suffix(8_000))
        }
        let dry = sound()
        let outcome = try await stage.act(
            #"{"do": "addEffect", "track": "t", "type": "filter", "set": {"cutoff": 60}}"#)
        #expect(outcome.result["effect"] == "filter")
        let low = sound()
        #expect(low < dry / 20)
        try await stage.act(
            #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "mode", "value": "highpass"}"#)
        #expect(sound() > dry / 2)
        #expect(stage.document.tracks[0].effects[0].parameters["mode"] == 1)
        try await stage.act(
            #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "cutoff", "value": 20000}"#)
        #expect(sound() < dry / 4)
        try await stage.act(
            #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "bypass", "value": true}"#)
        let bypassed = sound()
        #expect(bypassed > dry / 2)
        #expect(stage.session.status.undo == "Change effect of One")
        for _ in 0..<4 { try await stage.act(#"{"do": "undo"}"#) }
        #expect(stage.document.tracks[0].effects.isEmpty)
        #expect(sound() > dry / 2)
        for _ in 0..<2 { try await stage.act(#"{"do": "redo"}"#) }
        #expect(stage.document.tracks[0].effects.map(\.id) == ["filter"])
        try await stage.act(#"{"do": "removeEffect", "track": "t", "effect": "filter"}"#)
        #expect(stage.document.tracks[0].effects.isEmpty)
    }

    @Test("Who plays a session is told of effects of another version, also where nothing else is wrong")
    func unknownType() async throws {
        let stage = try await EditStage()
        #expect(stage.session.player.warnings == [])
        var document = stage.document
        document.masterEffects = [EffectDocument(id: "r", type: "reverb")]
        let played = try await SessionPlayer(document, path: stage.folder.path)
        #expect(played.warnings.count == 1 && played.warnings[0].contains("there is no effect \"reverb\""))
    }

    @Test("Effects are moved, and more of them have places of their own")
    func order() async throws {
        let stage = try await EditStage()
        for _ in 0..<3 { try await stage.act(#"{"do": "addEffect", "type": "filter"}"#) }
        #expect(stage.document.masterEffects.map(\.id) == ["filter", "filter-2", "filter-3"])
        try await stage.act(#"{"do": "moveEffect", "effect": "filter-3", "index": 0}"#)
        stage.stage.play(4_000)
        #expect(stage.document.masterEffects.map(\.id) == ["filter-3", "filter", "filter-2"])
        try await stage.act(#"{"do": "addEffect", "type": "filter", "index": 1}"#)
        #expect(stage.document.masterEffects.map(\.id) == ["filter-3", "filter-4", "filter", "filter-2"])
        stage.stage.play(4_000)
        #expect(BoundEffects.move(from: ["a", "b", "c"], to: ["c", "a", "b"])?.id == "c")
        #expect(BoundEffects.move(from: ["a", "b", "c"], to: ["b", "c", "a"])?.index == 2)
        #expect(BoundEffects.move(from: ["a", "b", "c"], to: ["c", "b", "a"]) == nil)
    }

    @Test("What is not there is refused, with the key that names it")
    func refusals() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "addEffect", "track": "t", "type": "filter"}"#)
        let wrong: [(String, String)] = [
            (#"{"do": "effect", "track": "x", "effect": "filter", "parameter": "cutoff", "value": 99}"#, "track"),
            (#"{"do": "effect", "track": "t", "effect": "x", "parameter": "cutoff", "value": 99}"#, "effect"),
            (#"{"do": "effect", "track": "t", "effect": "filter", "parameter": "cutoff", "value": 9}"#, "value"),
            (#"{"do": "effect", "track": "t", "effect": "filter", "parameter": "drive", "value": 9}"#, "parameter"),
            (#"{"do": "addEffect", "track": "t", "type": "reverb"}"#, "type"),
            (#"{"do": "addEffect", "strip": "nowhere", "type": "filter"}"#, "strip"),
            (#"{"do": "addEffect", "stem": "x", "type": "filter"}"#, "stem"),
            (#"{"do": "removeEffect", "effect": "x"}"#, "effect"),
        ]
        for (action, key) in wrong {
            let error = await #expect(throws: SessionError.self, "\(action)") { try await stage.act(action) }
            #expect("\(try #require(error))".contains("\(key): "), "\(action): \(String(describing: error))")
        }
    }

    @Test("Every strip's effects are heard in what goes through it")
    func strips() async throws {
        for (strip, start) in [
            (#""track": "t""#, #"{"do": "launch", "clip": "a"}"#), ("", #"{"do": "launch", "clip": "a"}"#),
            (#""stem": "s""#, #"{"do": "stems", "action": "play"}"#),
            (#""strip": "metronome""#, #"{"do": "metronome", "on": true}"#),
            (#""strip": "playlist""#, #"{"do": "playlist", "action": "play"}"#),
        ] {
            func sound(filtered: Bool) async throws -> Float {
                let stage = try await TakeStage()
                if filtered {
                    let place = strip.isEmpty ? "" : "\(strip), "
                    try await stage.act(
                        #"{"do": "addEffect", \#(place)"type": "filter", "set": {"cutoff": 20, "resonance": 0.5}}"#)
                }
                try await stage.act(start)
                if start.contains("metronome") { try await stage.act(#"{"do": "transport", "action": "play"}"#) }
                stage.play(40_000)
                return loudness(stage.stage.left[...])
            }
            let (dry, wet) = (try await sound(filtered: false), try await sound(filtered: true))
            #expect(dry > 1 && wet < dry / 50, "\(strip): \(dry), \(wet)")
        }
    }

    @Test("A recording has the effects, their automation and their edits, and its script sounds like it")
    func recording() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addEffect", "track": "t", "type": "filter", "set": {"resonance": 9}}"#)
        try await stage.act(#"{"do": "addEffect", "type": "filter", "set": {"cutoff": 4000}}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(20_000)
        try await stage.act(
            #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "cutoff", "value": 200, "ramp": 2.5}"#)
        stage.play(9_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(10_000)
        try await stage.act(
            #"{"do": "addEffect", "track": "t", "type": "filter", "index": 0, "set": {"mode": "notch"}}"#)
        try await stage.act(#"{"do": "addEffect", "stem": "s", "type": "filter"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "moveEffect", "track": "t", "effect": "filter-2", "index": 1}"#)
        try await stage.act(#"{"do": "effect", "effect": "filter", "parameter": "mode", "value": "bandpass"}"#)
        stage.play(10_000)
        try await stage.act(
            #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "bypass", "value": true, "at": 0.05}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "removeEffect", "track": "t", "effect": "filter-2"}"#)
        stage.play(5_000)
        try await stage.act(#"{"do": "undo"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (heard, rendered, script) = try await stage.take()
        #expect(heard.channels[0].contains { abs($0) > 0.01 })
        #expect((rendered.channels == heard.channels) as Bool)
        let blocks = try await stage.render(script, blockFrames: 333)
        #expect((blocks.channels == rendered.channels) as Bool)
    }
}

import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Settings that are asked for ahead in takes, with edits beside them.
@Suite("Settings for later, and edits", .fewAtATime)
struct PlanEditTests {
    private static let settings = [
        #""do": "mute", "track": "t", "on": true"#, #""do": "gain", "track": "t", "db": -20"#,
        #""do": "pan", "track": "t", "value": -0.8"#, #""do": "tempo", "bpm": 100"#,
        #""do": "tempo", "bpm": 100, "ramp": 2"#, #""do": "startPosition", "clip": "b", "value": "synced""#,
    ]

    /// The beat that comes in some frames.
    private func beat(in frames: Int, _ stage: TakeStage) -> Double {
        let transport = stage.session.player.engine.transport
        return transport.beat.rawValue + Double(frames) / 48_000 * transport.tempo.beatsPerMinute / 60
    }

    @Test(
        "What is set for a beat, or a time, is in the take on its frame, though an edit follows it before anything tells of it",
        arguments: settings, ["beat", "at"])
    func edited(setting: String, key: String) async throws {
        let stage = try await TakeStage()
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "b"}"#)
            stage.play(20_000)
            let time = key == "at" ? 0.1 : beat(in: 4_700, stage)
            try await stage.act("{\(setting), \"\(key)\": \(time)}")
            let take = stage.stage.takeEvents
            stage.stage.takeEvents = { [] }
            stage.play(5_000)
            try await stage.act(#"{"do": "editMetronome", "set": {"beatFrequency": 700}}"#)
            stage.play(1_000)
            stage.stage.takeEvents = take
            stage.play(20_000)
            try await stage.act(#"{"do": "undo"}"#)
            stage.play(30_000)
            try await stage.act(#"{"do": "redo"}"#)
            stage.play(30_000)
        }
    }

    @Test("A start position that was set ahead is undone in the sound, though the clip was edited until then")
    func start() async throws {
        let stage = try await TakeStage()
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "e"}"#)
            stage.play(30_000)
            try await stage.act(#"{"do": "launch", "clip": "b"}"#)
            stage.play(20_000)
            try await stage.act(#"{"do": "startPosition", "clip": "b", "value": "synced", "at": 0.2}"#)
            stage.play(4_000)
            try await stage.act(#"{"do": "editClip", "clip": "b", "set": {"gain": -2}}"#)
            stage.play(40_000)
            #expect(stage.session.player.document.tracks[0].clips[1].startPosition == .synced)
            try await stage.act(#"{"do": "undo"}"#)
            #expect(stage.session.player.document.tracks[0].clips[1].startPosition == .fromStart)
            stage.play(60_000)
        }
    }
}

import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// The tempo that plays, and the tempo that the session has.
@Suite("The tempo of a live session", .fewAtATime)
struct SessionTempoTests {
    private let edited: EditStage

    init() async throws { edited = try await EditStage() }

    private var transport: Engine.Transport { edited.session.player.engine.transport }

    private func play(_ frames: Int) { edited.stage.play(frames) }

    /// Taps `count` times, `frames` apart.
    private func tap(_ count: Int, every frames: Int) async throws {
        for _ in 0..<count {
            try await edited.act(#"{"do": "tap"}"#)
            play(frames)
        }
    }

    @Test("A tempo that is tapped is the session's: it can be undone, is unsaved, and is saved")
    func tapped() async throws {
        try await tap(1, every: 20_000)
        #expect(!edited.session.status.isDirty && edited.session.status.undo == nil)
        try await tap(1, every: 1_000)
        // 20,000 frames of 48,000 a second are a beat at 144 BPM.
        #expect(transport.tempo.beatsPerMinute == 144 && edited.document.tempo == 144)
        #expect(edited.session.status.isDirty && edited.session.status.undo == "Change tempo")
        try await edited.act(#"{"do": "undo"}"#)
        play(1_000)
        #expect(transport.tempo.beatsPerMinute == 120 && edited.document.tempo == 120)
        #expect(!edited.session.status.isDirty)
        try await edited.act(#"{"do": "redo"}"#)
        try await edited.act(#"{"do": "save"}"#)
        #expect(try SessionDocument(path: edited.folder.path).tempo == 144)
    }

    @Test("A tempo that is typed right after a tap stays")
    func typed() async throws {
        try await tap(1, every: 20_000)
        let take = edited.stage.takeEvents
        // What the tap did is looked at later than the tempo is typed.
        edited.stage.takeEvents = { [] }
        try await tap(1, every: 100)
        try await edited.act(#"{"do": "tempo", "bpm": 100}"#)
        edited.stage.takeEvents = take
        play(1_000)
        #expect(transport.tempo.beatsPerMinute == 100 && edited.document.tempo == 100)
    }

    @Test("Another session begins at its own tempo, in its own metre and at the beginning of its song")
    func another() async throws {
        try await edited.act(#"{"do": "saveAs", "name": "Mine"}"#)
        // The scene has 140 BPM; the document keeps its 120.
        try await edited.act(#"{"do": "locate", "bar": 9}"#)
        try await edited.act(#"{"do": "launchScene", "scene": 1}"#)
        play(1_000)
        try await edited.act(#"{"bar": 2, "do": "timeSignature", "value": "3/4"}"#)
        play(100_000)
        #expect(transport.tempo.beatsPerMinute == 140 && transport.songPosition.rawValue > 32)
        #expect(transport.timeSignature == TimeSignature(3, 4))
        for action in [
            #"{"do": "open", "name": "Mine", "discard": true}"#, #"{"do": "new", "name": "Fresh", "discard": true}"#,
        ] {
            try await edited.act(action)
            play(1_000)
            #expect(transport.tempo.beatsPerMinute == 120 && transport.songPosition == .zero)
            #expect(transport.timeSignature == TimeSignature(4, 4))
            #expect(!edited.session.status.isDirty)
            try await edited.act(#"{"do": "tempo", "bpm": 90}"#)
            try await edited.act(#"{"do": "locate", "beat": 7}"#)
            play(1_000)
        }
        try await edited.act(#"{"do": "open", "name": "Mine", "discard": true}"#)
        try await edited.act(#"{"do": "transport", "action": "play"}"#)
        play(24_000)
        // A beat later, at 120 BPM.
        #expect(abs(transport.songPosition.rawValue - 1) < 1e-9)
    }
}

import BarlineTestSupport
import Testing

@testable import BarlineSession

/// A row of clips that start together.
@Suite("Scenes", .fewAtATime)
struct SceneTests {
    static let session = """
        {"barline": 1, "launchQuantization": "1/4", "scenes": [{"name": "One"}, {"name": "Two", "tempo": 60}],
         "tracks": [
          {"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 4, "slot": 0},
                                {"id": "b", "file": "a.wav", "beats": 4, "slot": 1}]},
          {"id": "u", "clips": [{"id": "c", "file": "a.wav", "beats": 4, "slot": 0}]}]}
        """

    private func events(_ script: String, seconds: Int) async throws -> [[String: Any]] {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.tone(96_000, cycles: 400))
        _ = try await folder.render(
            SceneTests.session, script: script, frames: 48_000 * seconds, events: "events.jsonl")
        return try JSONLines.objects(try folder.folder.text("events.jsonl"))
    }

    @Test("All clips of a row start on one frame, and a track with nothing in the row stops there")
    func row() async throws {
        let events = try await events(
            """
            {"at": 0, "do": "launchScene", "scene": 0}
            {"at": 1.6, "do": "launchScene", "scene": 1}
            """, seconds: 4)
        let started = events.filter { $0.text("event") == "clipStarted" }
        let stopped = events.filter { $0.text("event") == "clipStopped" }
        // At 120 BPM a beat is 24 000 frames; the count-in of one beat comes first.
        #expect(started.map { $0.text("clip") } == ["a", "c", "b"])
        #expect(started.map { $0.integer("frame") } == [24_000, 24_000, 96_000])
        #expect(stopped.map { $0.text("track") } == ["t", "u"])
        #expect(stopped.map { $0.integer("frame") } == [96_000, 96_000])
    }

    @Test("A scene's tempo takes over on the frame where its clips start")
    func tempo() async throws {
        let events = try await events(
            """
            {"at": 0, "do": "launchScene", "scene": 0}
            {"at": 1.6, "do": "launchScene", "scene": 1}
            """, seconds: 5)
        let change = try #require(events.first { $0.text("event") == "tempoChanged" })
        #expect(change.integer("frame") == 96_000)
        #expect(change.number("bpm") == 60)
        #expect(change.number("beat") == 3)
        let beats = events.filter { $0.text("event") == "beat" && ($0.integer("frame") ?? 0) > 96_000 }
        #expect(beats.map { $0.integer("frame") } == [144_000, 192_000])
    }

    @Test("A row without a scene of its own can be launched as long as a clip is in it")
    func unnamedRow() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.tone(96_000, cycles: 400))
        let player = try await folder.player(
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "slot": 4}]}]}"#)
        try player.perform(.launchScene(4))
        try player.perform(.launchScene(2))
        #expect(throws: SessionError.self) { try player.perform(.launchScene(5)) }
    }
}

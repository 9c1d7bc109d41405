import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Events of what was removed while it played.
@Suite("Names of what is gone", .fewAtATime)
struct GoneNameTests {
    @Test(
        "A clip that is removed while it plays, or its track, is told to stop by its name",
        arguments: [#"{"do": "removeClip", "clip": "a"}"#, #"{"do": "removeTrack", "track": "t"}"#])
    func removed(edit: String) async throws {
        let looped = try await LoopedSession(
            """
            {"barline": 1, "tempo": 240, "launchQuantization": "none", "firstLaunch": "immediate", "tracks": [{"id": "t", "clips": [{"id": "a", "file": "loop.wav", "beats": 4}]}]}
            """)
        let (session, stage) = (looped.session, looped.stage)
        var lines: [[String: JSONValue]] = []
        func play(_ frames: Int) {
            stage.play(frames)
            for event in stage.events {
                if case .object(let values)? = session.player.eventValue(event) { lines.append(values) }
            }
        }
        try await looped.act(#"{"do": "launch", "clip": "a"}"#)
        play(5_000)
        try await looped.act(edit)
        for _ in 0..<20 { play(500) }
        let stopped = lines.filter { $0["event"] == "clipStopped" }
        #expect(stopped.map { $0["clip"] } == ["a"] && stopped.map { $0["track"] } == ["t"])
        // Another one in its place has its own name.
        try await looped.act(#"{"do": "undo"}"#)
        try await looped.act(#"{"do": "launch", "clip": "a"}"#)
        for _ in 0..<20 { play(500) }
        let started = lines.filter { $0["event"] == "clipStarted" }
        #expect(started.map { $0["clip"] } == ["a", "a"] && started.map { $0["track"] } == ["t", "t"])
    }
}

import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A clip whose tempo is set while it plays goes on.
@Suite("Tempos of clips that play", .fewAtATime)
struct PlayingTempoTests {
    @Test(
        "It is neither stopped nor started again, and ends up in time",
        arguments: [
            #"{"do": "editClip", "clip": "a", "set": {"bpm": 90}}"#,
            #"{"do": "editClip", "clip": "a", "set": {"beats": 3}}"#,
            #"{"do": "correctTempo", "clip": "a", "bpm": 90}"#,
            #"{"do": "correctTempo", "clip": "a", "taps": [0, 0.6666666666666666, 1.3333333333333333]}"#,
        ])
    func given(action: String) async throws {
        let folder = try SessionFolder()
        // Two seconds of one slow wave, in which no tempo is heard: three beats at 90 BPM.
        try folder.folder.write("a.wav", Sound.tone(96_000, cycles: 1))
        let document = try folder.document(
            #"""
            {"barline": 1, "tempo": 120, "launchQuantization": "none",
             "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav"}]}]}
            """#)
        let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
        let (session, stage) = (LiveSession(player, library: EditStage.library(folder)), Stage(player))
        #expect(player.clips["a"]?.beats == nil)
        func act(_ json: String) async throws {
            _ = try await session.perform(ControlAction(try JSONValue(parsing: Data(json.utf8)), source: "test"))
        }
        _ = try session.perform(.launch(clip: "a"))
        var events: [EngineEvent] = []
        func play(_ frames: Int) {
            stage.play(frames)
            events += stage.events
        }
        play(50_000)
        try await act(action)
        play(100_000)
        #expect(player.clips["a"]?.beats == 3)
        try await act(#"{"do": "correctTempo", "clip": "a", "by": "detected"}"#)
        play(50_000)
        let kinds = events.compactMap { event -> String? in
            switch event.kind {
            case .launcher(.started): "started"
            case .launcher(.stopped): "stopped"
            default: nil
            }
        }
        #expect(kinds == ["started"])
        #expect(player.engine.state.tracks[0].playing != nil)
        // Three beats at 120 BPM are a second and a half: the cycle begins there, at frame 72,000 and 144,000.
        let cycles = events.compactMap { event -> Int64? in
            guard case .launcher(.looped) = event.kind, event.frame.rawValue < 150_000 else { return nil }
            return event.frame.rawValue
        }
        #expect(cycles == [72_000, 144_000])
        // At 4/3 of its speed a cycle is the file's; before, and after, it plays at its own speed from frame 0.
        let samples = try WaveContents(path: folder.folder.path("a.wav")).channels[0]
        #expect(zip(stage.left[1_000..<49_000], samples[1_000...]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(zip(stage.left[160_000..<190_000], samples[64_000...]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(zip(stage.left[73_000..<143_000], stage.left[145_000..<150_000]).allSatisfy { abs($0 - $1) < 1e-4 })
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Loops that are made plain ones of what they sound like.
@Suite("Flattened loops", .fewAtATime)
struct FlattenTests {
    /// Frames of four beats at 150 BPM and 48 kHz.
    private static let turn = 76_800
    private static let clips = [
        #"{"id": "loop", "file": "a.wav", "beats": 4, "slot": 0, "playback": "stretch", "gain": -6}"#,
        #"{"id": "loop", "file": "a.wav", "beats": 4, "slot": 0, "playback": "stretch", "transpose": 3, "gain": -6}"#,
        #"""
        {"id": "loop", "file": "a.wav", "slot": 0, "gain": -6,
         "warp": [{"frame": 0, "beat": 0}, {"frame": 60000, "beat": 2}, {"frame": 96000, "beat": 4}]}
        """#,
    ]

    private static func played(_ clip: String) async throws -> LoopedSession {
        let folder = try LoopedSession.folder()
        try folder.folder.write("a.wav", Sound.tone(96_000, cycles: 880))
        let document = try folder.document(
            """
            {"barline": 1, "tempo": 150, "firstLaunch": "immediate", "inputs": [{"name": "mic", "monitor": "never"}],
             "tracks": [{"id": "t", "input": "mic", "clips": [\(clip)]}]}
            """)
        let played = try await LoopedSession(document, in: folder)
        played.session.player.hasInputs.store(true, ordering: .relaxed)
        played.stage.inputs = try WaveContents(path: folder.folder.path("mic.wav")).channels
        return played
    }

    @Test("A loop that is stretched, transposed or warped sounds the same as a plain one", arguments: clips)
    func sound(clip: String) async throws {
        let (shaped, flat) = (try await Self.played(clip), try await Self.played(clip))
        let before = try #require(flat.clip)
        await #expect(throws: SessionError.self) {
            try await flat.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        }
        #expect(try await flat.act(#"{"do": "flattenClip", "clip": "loop"}"#).result["clip"] == "loop")
        let after = try #require(flat.clip)
        #expect(after.playback == .repitch && after.warp == nil && after.gain == -6 && after.beats == 4)
        #expect((after.end ?? 0) - after.start == Self.turn && after.file != before.file)
        for played in [shaped, flat] {
            try await played.act(#"{"do": "launch", "clip": "loop"}"#)
            played.play(to: 5 * Self.turn)
        }
        let range = 2 * Self.turn + 1_000..<4 * Self.turn
        #expect(range.allSatisfy { abs(shaped.hears[$0] - flat.hears[$0]) < 1e-5 })
        #expect(range.contains { abs(flat.hears[$0]) > 0.05 })
        // It is a step of undo, and its former file is there.
        try await flat.act(#"{"do": "undo"}"#)
        #expect(flat.clip == before)
        try await flat.act(#"{"do": "redo"}"#)
        #expect(flat.clip == after)
    }

    @Test("A plain loop that was made of another one is recorded over")
    func layers() async throws {
        let played = try await Self.played(Self.clips[0])
        try await played.act(#"{"do": "flattenClip", "clip": "loop"}"#)
        try await played.act(#"{"do": "launch", "clip": "loop"}"#)
        played.play(to: Self.turn - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 4 * Self.turn)
        #expect(played.clip?.layers.count == 1)
        let gain = Float(Decibels(-6).amplitude)
        let input = played.stage.inputs[0]
        let (bare, over) = (Self.turn + 2_000, 3 * Self.turn + 2_000)
        #expect(
            (0..<50_000).allSatisfy { place in
                abs(played.hears[over + place] - played.hears[bare + place] - gain * input[bare + place]) < 1e-5
            })
    }

    @Test("What is no loop that follows the tempo is refused in words")
    func refused() async throws {
        for clip in [
            #"{"id": "loop", "file": "a.wav", "slot": 0, "playback": "original"}"#,
            #"{"id": "loop", "file": "a.wav", "slot": 0, "beats": 4, "playback": "stretch", "loop": false}"#,
        ] {
            let played = try await Self.played(clip)
            await #expect(throws: SessionError.self) { try await played.act(#"{"do": "flattenClip", "clip": "loop"}"#) }
            await #expect(throws: SessionError.self) { try await played.act(#"{"do": "flattenClip", "clip": "none"}"#) }
        }
    }
}

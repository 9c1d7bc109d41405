import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Warp markers of a session's clips, and the verbs that make them.
@Suite("Beats as they were played", .fewAtATime)
struct WarpSessionTests {
    private func settings(_ more: String) async throws -> ClipSettings {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(96_000, seed: 3))
        let player = try await folder.player(
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", \#(more)}]}]}"#)
        let handle = try #require(player.clips["a"]?.handle)
        return try #require(player.engine.launcher.settings(of: handle))
    }

    @Test("Markers reach the engine, and say how long a clip is")
    func length() async throws {
        let settings = try await settings(
            #""warp": [{"frame": 0, "beat": 0}, {"frame": 30000, "beat": 1}, {"frame": 50000, "beat": 2}]"#)
        // Beyond the last one it goes on at 20,000 frames a beat.
        #expect(abs((settings.beats ?? 0) - 4.3) < 1e-12)
        #expect(settings.warp == [WarpMarker(frame: 30_000, beat: 1), WarpMarker(frame: 50_000, beat: 2)])
        #expect(settings.firstBeat == 0)
    }

    @Test("A loop that says how many beats it has is that long")
    func beats() async throws {
        let settings = try await settings(
            #""beats": 4, "warp": [{"frame": 0, "beat": 0}, {"frame": 30000, "beat": 1}, {"frame": 50000, "beat": 2}]"#)
        #expect(settings.beats == 4 && settings.warp.count == 2)
    }

    @Test("Beat 0 falls on the boundary of a loop's launch, and a frame that is named before it")
    func beatZero() async throws {
        let warp = #""warp": [{"frame": 12000, "beat": 0}, {"frame": 36000, "beat": 1}, {"frame": 84000, "beat": 3}]"#
        #expect(abs(try await settings(warp).firstBeat - 0.5) < 1e-12)
        #expect(abs(try await settings(#""firstBeat": 36000, "# + warp).firstBeat - 1.5) < 1e-12)
        #expect(try await settings(#""loop": false, "# + warp).firstBeat == 0)
        #expect(try await settings(#""start": 12000, "# + warp).firstBeat == 0)
    }

    @Test("Without following the tempo it has none")
    func original() async throws {
        let settings = try await settings(
            #""playback": "original", "warp": [{"frame": 0, "beat": 0}, {"frame": 30000, "beat": 1}]"#)
        #expect(settings.beats == nil && settings.warp.isEmpty)
    }

    @Test(
        "What is wrong is refused by key",
        arguments: [
            "5", "[]", #"[{"frame": 0, "beat": 0}]"#, #"[{"frame": 0, "beat": 0}, {"frame": 0, "beat": 1}]"#,
            #"[{"frame": 0, "beat": 1}, {"frame": 9, "beat": 1}]"#, #"[{"frame": 0}, {"frame": 9, "beat": 1}]"#,
            #"[{"frame": 0.5, "beat": 0}, {"frame": 9, "beat": 1}]"#,
            #"[{"frame": -1, "beat": 0}, {"frame": 9, "beat": 1}]"#,
        ])
    func refusals(text: String) throws {
        let folder = try SessionFolder()
        let error = #expect(throws: SessionError.self) {
            try folder.document(
                #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "warp": \#(text)}]}]}"#)
        }
        #expect("\(try #require(error))".contains("tracks[0].clips[0].warp"))
    }

    // MARK: Verbs

    private func clip(_ stage: EditStage, _ id: String = "a") throws -> ClipDocument {
        try #require(stage.document.tracks.flatMap(\.clips).first { $0.id == id })
    }

    @Test("Markers are set, moved and taken away, each a step of undo")
    func editing() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 30000, "beat": 1}"#)
        let ends = [WarpMarker(frame: 0, beat: 0), WarpMarker(frame: 96_000, beat: 4)]
        let one = WarpMarker(frame: 30_000, beat: 1)
        #expect(try clip(stage).warp == [ends[0], one, ends[1]])
        let handle = try #require(stage.session.player.clips["a"]?.handle)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.warp == [one])
        // On the line between 1 and 4.
        try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 52000}"#)
        #expect(try clip(stage).warp == [ends[0], one, WarpMarker(frame: 52_000, beat: 2), ends[1]])
        try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 33000, "beat": 1}"#)
        #expect(try clip(stage).warp?[1] == WarpMarker(frame: 33_000, beat: 1))
        try await stage.act(#"{"do": "undo"}"#)
        #expect(try clip(stage).warp?[1] == one)
        try await stage.act(#"{"do": "removeWarpMarker", "clip": "a", "frame": 30000}"#)
        #expect(try clip(stage).warp == [ends[0], WarpMarker(frame: 52_000, beat: 2), ends[1]])
        try await stage.act(#"{"do": "undo"}"#)
        // By its beat, wherever it is.
        try await stage.act(#"{"do": "removeWarpMarker", "clip": "a", "beat": 1}"#)
        #expect(try clip(stage).warp == [ends[0], WarpMarker(frame: 52_000, beat: 2), ends[1]])
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "removeWarpMarker", "clip": "a", "beat": 1}"#)
        }
        try await stage.act(#"{"do": "removeWarpMarker", "clip": "a"}"#)
        #expect(try clip(stage).warp == nil && clip(stage).beats == 4)
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "removeWarpMarker", "clip": "a", "frame": 3}"#)
        }
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 30000, "beat": 4.5}"#)
        }
    }

    @Test("A beat beyond those that a clip may have is refused with the bound")
    func bound() async throws {
        let stage = try await EditStage()
        let error = try await #require(throws: SessionError.self) {
            try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 30000, "beat": 1e9}"#)
        }
        #expect("\(error)".contains("at most 1000000"))
    }

    @Test("With its markers set to nothing a clip is as long in beats as they said, unless that is set too")
    func unset() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 30000, "beat": 1}"#)
        #expect(try clip(stage).beats == nil)
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"warp": null}}"#)
        #expect(try clip(stage).warp == nil && clip(stage).beats == 4)
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"warp": null, "bpm": 90}}"#)
        #expect(try clip(stage).beats == nil && clip(stage).bpm == 90)
    }

    @Test("A tempo that is corrected moves all markers")
    func correction() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "setWarpMarker", "clip": "a", "frame": 30000, "beat": 1}"#)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "by": "double"}"#)
        #expect(try clip(stage).warp?.map(\.beat) == [0, 2, 8])
        #expect(stage.session.player.clips["a"]?.beats == 8)
    }

    @Test("Attacks go to the nearest places of a grid, by as much as is asked for, and swing")
    func quantizing() async throws {
        let stage = try await EditStage()
        let onsets = "[0, 13000, 23000, 24900, 37000, 49000, 71000, 83500]"
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"onsets": \#(onsets)}}"#)
        try await stage.act(#"{"do": "quantizeClip", "clip": "a", "grid": "1/8"}"#)
        // Of two that are near one place the nearer one goes there.
        let exact = [
            (0, 0.0), (13_000, 0.5), (24_900, 1), (37_000, 1.5), (49_000, 2), (71_000, 3), (83_500, 3.5), (96_000, 4),
        ]
        #expect(try clip(stage).warp == exact.map { WarpMarker(frame: $0.0, beat: $0.1) })
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "quantizeClip", "clip": "a", "grid": "1/8", "amount": 50}"#)
        let half = try #require(try clip(stage).warp?.first { $0.frame == 13_000 })
        #expect(abs(half.beat - (0.5 + 13_000 / 24_000) / 2) < 1e-12)
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "quantizeClip", "clip": "a", "grid": "1/8", "swing": 60}"#)
        #expect(try clip(stage).warp?.map(\.beat) == [0, 0.6, 1, 1.6, 2, 3, 3.6, 4])
    }

    /// What a drummer plays who rushes and drags: an attack on each beat, between them softer ones.
    private static func drummer() -> (sound: [Double], beats: [Int]) {
        var beats: [Int] = []
        var frame = 0.0
        for beat in 0..<32 {
            beats.append(Int(frame))
            frame += 24_000 * (1 + 0.03 * sin(Double(beat) * 0.7))
        }
        var sound = [Double](repeating: 0, count: Int(frame))
        for (index, beat) in beats.enumerated() {
            let next = index + 1 < beats.count ? beats[index + 1] : sound.count
            for (place, level) in [(beat, 0.8), ((beat + next) / 2, 0.25)] {
                var random = TestRandom(seed: UInt64(place + 1))
                for offset in 0..<min(6_000, sound.count - place) {
                    sound[place + offset] += level * random.double(-1...1) * exp(-Double(offset) / 700)
                }
            }
        }
        return (sound, beats)
    }

    @Test("A clip that follows its beats has each of them on a beat", arguments: [true, false])
    func following(loops: Bool) async throws {
        let stage = try await EditStage()
        let (sound, beats) = Self.drummer()
        try stage.folder.folder.write("drummer.wav", WaveFile(sound).bytes)
        try await stage.act(
            #"{"do": "addClip", "track": "t", "file": "drummer.wav", "set": {"playback": "stretch", "loop": \#(loops)}}"#
        )
        try await stage.act(#"{"do": "followBeats", "clip": "drummer"}"#)
        let followed = try clip(stage, "drummer")
        let warped = try #require(try followed.warped(0..<sound.count))
        for beat in beats.dropLast() {
            let played = warped.line.beat(at: Double(beat))
            // An attack is marked up to 2 ms early.
            #expect(abs(played - played.rounded()) < 0.005, "\(beat) is on \(played)")
        }
        if loops { #expect(warped.beats == 32) }
        try await stage.act(#"{"do": "undo"}"#)
        #expect(try clip(stage, "drummer").warp == nil)
        try await stage.act(#"{"do": "followBeats", "clip": "drummer", "amount": 0}"#)
        let even = try #require(try clip(stage, "drummer").warp)
        let slopes = zip(even, even.dropFirst()).map { Double($1.frame - $0.frame) / ($1.beat - $0.beat) }
        #expect(slopes.allSatisfy { abs($0 / slopes[0] - 1) < 1e-6 })
    }

    @Test("Where no beat is heard, following is refused in words")
    func nothingHeard() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.write("tone.wav", Sound.tone(48_000, cycles: 220))
        try await stage.act(#"{"do": "addClip", "track": "t", "file": "tone.wav", "set": {"beats": 2}}"#)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "followBeats", "clip": "tone"}"#) }
    }
}

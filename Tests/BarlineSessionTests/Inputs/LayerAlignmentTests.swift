import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Where what was recorded over a loop lies, by what is known of how late it came.
@Suite("Alignment of layers", .fewAtATime)
struct LayerAlignmentTests {
    private static let bar = LoopedSession.bar
    private static let bars = 24
    /// What the devices say of both ways.
    private static let declared = 600
    /// A loop, recorded over twice at 70 %, once in part of a turn, backwards, recorded over at 50 %, with as much
    /// silence after it, replaced in one of its bars, and one layer of it undone.
    private static let script = """
        {"do": "transport", "action": "play", "frame": 0}
        {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 40000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "feedback": 70, "bars": 2, "frame": 140000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "feedback": 30, "frame": 280000}
        {"do": "stopNow", "track": "t", "frame": 310000}
        {"do": "launch", "clip": "new", "frame": 350000}
        {"do": "changeLoop", "clip": "new", "change": "reverse", "frame": 450000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "feedback": 50, "bars": 1, "frame": 500000}
        {"do": "changeLoop", "clip": "new", "change": "insert", "frame": 600000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "replace", "bars": 1, "frame": 700000}
        {"do": "changeLoop", "clip": "new", "change": "halfSpeed", "frame": 880000}
        {"do": "undoLayer", "clip": "new", "frame": 1050000}
        """

    private static func measured(_ correction: Int) -> MeasuredLatency {
        MeasuredLatency(
            output: "card", input: "card", sampleRate: 48_000, blockFrames: 256,
            roundTrip: Double(declared + correction), declared: declared, date: "2026-01-01T00:00:00Z")
    }

    /// A session that was played with so much taken off.
    private static func played(_ correction: Int, _ script: String = script) async throws -> LoopedSession {
        let played = try await LoopedSession(bars: bars)
        let player = played.session.player
        let place = try #require(player.inputs["mic"])
        try player.engine.inputs.setLatency(declared + correction, of: place)
        player.inputLatencies.withLock {
            $0 = [
                place: ClipLatency(
                    frames: declared + correction, correction: correction, output: "card", input: "card",
                    sampleRate: 48_000)
            ]
        }
        for line in script.split(separator: "\n") {
            try await played.act(String(line))
            let frame = try #require(line.split(separator: " ").last.flatMap { Int($0.dropLast()) })
            played.play(to: max(frame + 1_000, played.stage.left.count))
        }
        played.play(to: bars * bar)
        player.takes.finish()
        return played
    }

    /// What the layers of its clip have, from the lowest one on, with the 5 ms before them.
    private static func sounds(_ played: LoopedSession, _ clip: ClipDocument?) throws -> [[[Float]]] {
        let clip = try #require(clip)
        return try (clip.layers + [clip.layer] + clip.undoneLayers.reversed()).map { layer in
            let path = URL(fileURLWithPath: layer.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
            let end = try #require(layer.end)
            return try WaveContents(path: path).channels.map { Array($0[layer.start - 240..<end]) }
        }
    }

    /// Where the first difference is; `nil` where there is none.
    private static func difference(_ sounds: [[[Float]]], _ others: [[[Float]]]) -> String? {
        for (layer, (sound, other)) in zip(sounds, others).enumerated() {
            for (channel, (samples, expected)) in zip(sound, other).enumerated() where samples != expected {
                let frame = zip(samples, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
                let count = zip(samples, expected).count { $0 != $1 }
                return "layer \(layer), channel \(channel), from \(frame - 240) on, \(count) of \(samples.count) frames"
            }
        }
        return sounds.count == others.count ? nil : "\(sounds.count) layers, not \(others.count)"
    }

    private static func align(
        _ played: LoopedSession, to correction: Int
    ) async throws -> [String: JSONValue] {
        try LatencyStore(played.session.library).keep(measured(correction))
        return try await played.act(#"{"do": "alignTakes"}"#).result
    }

    @Test("Every layer of a loop is where it would be had it been recorded with what is known since, bit for bit")
    func layers() async throws {
        let late = try await Self.played(12)
        let recorded = try #require(late.clip)
        #expect(recorded.layers.count == 7 && recorded.undoneLayers.count == 1)
        // By the plain arithmetic of what was played.
        let input = try WaveContents(path: late.folder.folder.path("mic.wav")).channels[0]
        func first(_ correction: Int) -> [Float] {
            (0..<Self.bar).map { place in
                let at = Self.declared + correction + place
                return input[3 * Self.bar + at] + 0.7 * input[Self.bar + at]
            }
        }
        let before = try Self.sounds(late, recorded)
        #expect((0..<Self.bar - 300).allSatisfy { before[1][0][240 + $0] == first(12)[$0] })
        for correction in [-88, 700] {
            #expect(try await Self.align(late, to: correction) == ["moved": 1])
            let aligned = try #require(late.clip)
            let early = try await Self.played(correction)
            let (sounds, expected) = (try Self.sounds(late, aligned), try Self.sounds(early, early.clip))
            #expect(sounds.count == 9 && Self.difference(sounds, expected) == nil)
            #expect((0..<Self.bar - 300).allSatisfy { sounds[1][0][240 + $0] == first(correction)[$0] })
            let other = try #require(early.clip)
            #expect(aligned.latency == other.latency && aligned.beats == other.beats)
            #expect(aligned.layers.map(\.latency) == other.layers.map(\.latency))
            #expect(aligned.layers.map(\.firstBeat?).dropFirst() == other.layers.map(\.firstBeat?).dropFirst())
            #expect(try await Self.align(late, to: correction) == ["moved": 0])
        }
        // Back again it is what was recorded, and so it is after a step of undo.
        #expect(try await Self.align(late, to: 12) == ["moved": 1])
        #expect(Self.difference(try Self.sounds(late, late.clip), before) == nil)
        for _ in 0..<3 { try await late.act(#"{"do": "undo"}"#) }
        #expect(late.clip == recorded)
        #expect(Self.difference(try Self.sounds(late, late.clip), before) == nil, "nothing recorded goes away")
    }

    @Test("A session that is opened again is aligned as the one that was played, and sounds as the aligned one")
    func reopened() async throws {
        let (late, early) = (try await Self.played(12), try await Self.played(-40))
        func reopened(_ played: LoopedSession) async throws -> LoopedSession {
            let document = try SessionDocument(played.session.player.document.json, file: played.folder.path)
            #expect(document == played.session.player.document)
            return try await LoopedSession(document, in: played.folder)
        }
        func heard(_ played: LoopedSession) async throws -> [Float] {
            try await played.act(#"{"do": "transport", "action": "play"}"#)
            try await played.act(#"{"do": "launch", "clip": "new"}"#)
            played.play(to: 5 * Self.bar)
            try await played.act(#"{"do": "undoLayer", "clip": "new"}"#)
            played.play(to: 8 * Self.bar)
            return played.hears
        }
        let opened = try await reopened(late)
        #expect(try await Self.align(opened, to: -40) == ["moved": 1])
        let sounds = try Self.sounds(opened, opened.clip)
        #expect(Self.difference(sounds, try Self.sounds(early, early.clip)) == nil)
        let (one, other) = (try await heard(try await reopened(opened)), try await heard(try await reopened(early)))
        #expect(one == other && one.contains { $0 != 0 })
    }

    @Test("A take that was made while the tempo changed is moved with its warp markers, unless they were set by hand")
    func warped() async throws {
        let script = """
            {"do": "transport", "action": "play", "frame": 0}
            {"do": "tempo", "bpm": 200, "ramp": 16, "frame": 20000}
            {"do": "recordClip", "track": "t", "slot": 0, "bars": 2, "id": "new", "frame": 40000}
            """
        let (late, early) = (try await Self.played(12, script), try await Self.played(62, script))
        let recorded = try #require(late.clip?.warp)
        #expect(recorded.count > 2)
        #expect(try await Self.align(late, to: 62) == ["moved": 1])
        #expect(late.clip?.warp == recorded.map { WarpMarker(frame: $0.frame + 50, beat: $0.beat) })
        #expect(Self.difference(try Self.sounds(late, late.clip), try Self.sounds(early, early.clip)) == nil)
        let byHand = #"[{"frame": 30000, "beat": 0}, {"frame": 80000, "beat": 4}]"#
        try await late.act(#"{"do": "editClip", "clip": "new", "set": {"warp": \#(byHand)}}"#)
        try LatencyStore(late.session.library).keep(Self.measured(80))
        await #expect(throws: SessionError.self) { try await late.act(#"{"do": "alignTakes"}"#) }
    }

    @Test("What can't be moved stays as it is, all of it, and is said in words")
    func words() async throws {
        let played = try await Self.played(12)
        let clip = try #require(played.clip)
        let folder = URL(fileURLWithPath: played.folder.path)
        func refusal(_ correction: Int) async throws -> String? {
            do throws(SessionError) {
                try LatencyStore(played.session.library).keep(Self.measured(correction))
                let value: JSONValue = ["do": "alignTakes"]
                _ = try await played.session.perform(try ControlAction(value, source: "test"))
                return nil
            } catch {
                return "\(error)"
            }
        }
        let far = try await refusal(12 + 24_001)
        #expect(far?.contains("its file does not have 24001 frames more than is played") == true, "\(far ?? "")")
        #expect(played.clip == clip)
        // Over a loop that was not recorded, and stays where it is.
        var loaded = clip
        loaded.layers[0].latency = nil
        let unmoved = loaded
        try await played.session.player.change { before in
            var changed = before
            changed.tracks[0].clips = [unmoved]
            return changed
        }
        let short = try await refusal(12 + 24_001)
        #expect(short?.contains("layer 1 is not kept for 24001 frames more at its ends") == true, "\(short ?? "")")
        #expect(played.clip == unmoved)
        // As sessions of earlier versions are.
        var old = clip
        for place in old.layers.indices { old.layers[place].pass = nil }
        let (document, present) = (played.session.player.document, old)
        var other = clip
        (other.id, other.slot) = ("other", 1)
        let second = other
        try await played.session.player.change { _ in
            var changed = document
            changed.tracks[0].clips = [present, second]
            return changed
        }
        try LatencyStore(played.session.library).keep(Self.measured(100))
        let result = try await played.act(#"{"do": "alignTakes"}"#).result
        #expect(result["moved"] == 1)
        #expect(result["left"] == ["new": "what was played in its layer 1 was not kept by itself"])
        #expect(played.session.takeNotices().map(\.words).contains { $0.contains("is not moved") })
        #expect(played.session.player.document.tracks[0].clips[0] == old)
        #expect(played.session.player.document.tracks[0].clips[1] != other)
        // What was played is gone from the disk.
        try await played.session.player.change { _ in
            var changed = document
            changed.tracks[0].clips = [second]
            return changed
        }
        let file = try #require(clip.layers[2].pass?.played?.file)
        try FileManager.default.removeItem(at: URL(fileURLWithPath: file, relativeTo: folder))
        let gone = try await refusal(110)
        #expect(gone?.contains("\"other\" is not moved") == true, "\(gone ?? "")")
        #expect(played.session.player.document.tracks[0].clips == [other])
    }

    @Test("A loop that was edited under a layer is not made again over something else")
    func edited() async throws {
        let played = try await Self.played(12)
        let document = played.session.player.document
        try await played.session.player.change { _ in
            var changed = document
            changed.tracks[0].clips[0].layers[0].start += 100
            return changed
        }
        try LatencyStore(played.session.library).keep(Self.measured(100))
        await #expect(throws: SessionError.self) { try await played.act(#"{"do": "alignTakes"}"#) }
    }

    @Test("A layer that a session says to be longer than its file, by any number, is refused in words")
    func lengths() async throws {
        let played = try await Self.played(12)
        let document = played.session.player.document
        for length in [Self.bar + 1, 1 << 40, NumberBounds.frame] {
            let recipe = try #require(document.tracks[0].clips[0].layers[1].pass?.recipe)
            try await played.session.player.change { _ in
                var changed = document
                changed.tracks[0].clips[0].layers[1].pass?.recipe = LayerRecipe(
                    recipe.making, position: recipe.position, length: length)
                return changed
            }
            try LatencyStore(played.session.library).keep(Self.measured(100))
            await #expect(throws: SessionError.self) { try await played.act(#"{"do": "alignTakes"}"#) }
        }
    }
}

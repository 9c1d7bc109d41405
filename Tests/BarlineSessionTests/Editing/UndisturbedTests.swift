import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What plays goes on, to the sample, through edits of everything else.
@Suite("Editing what plays", .fewAtATime)
struct UndisturbedTests {
    @Test("A clip plays the same samples through edits of everything else")
    func undisturbed() async throws {
        let quiet = try await EditStage()
        let edited = try await EditStage()
        for stage in [quiet, edited] { _ = try stage.session.perform(.launch(clip: "a")) }
        let edits = [
            #"{"do": "addTrack", "name": "New", "index": 0}"#, #"{"do": "moveTrack", "track": "t", "index": 2}"#,
            #"{"do": "addClip", "track": "u", "slot": 5, "file": "b.wav"}"#, #"{"do": "removeClip", "clip": "c"}"#,
            #"{"do": "addScene", "index": 0}"#,
            #"{"do": "editClip", "clip": "a", "set": {"name": "A", "color": "red"}}"#,
            #"{"do": "removeTrack", "track": "u"}"#, #"{"do": "addStem", "file": "b.wav"}"#, #"{"do": "undo"}"#,
            #"{"do": "undo"}"#, #"{"do": "saveAs", "name": "Copy"}"#,
        ]
        for edit in edits {
            try await edited.act(edit)
            for stage in [quiet, edited] { stage.stage.play(3_000) }
        }
        #expect(quiet.stage.left.contains { abs($0) > 0.1 })
        #expect(quiet.stage.left == edited.stage.left)
        #expect(quiet.stage.right == edited.stage.right)
    }

    @Test("A stem plays on, to the sample, while others are added, read from elsewhere, removed and brought back")
    func stems() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.write("long.wav", Sound.noise(48_000 * 60, seed: 5))
        try stage.folder.folder.write("other.wav", Sound.noise(48_000 * 60, seed: 6))
        try await stage.act(#"{"do": "addStem", "file": "long.wav"}"#)
        try await stage.act(#"{"do": "removeStem", "stem": "s"}"#)
        var events: [EngineEvent] = []
        /// Plays, no faster than files can be read, until something has happened, and a little more.
        func play(until isDone: (EngineEvent.Kind) -> Bool) throws -> Int {
            for _ in 0..<5_000 {
                stage.stage.play(480)
                events += stage.stage.events
                if let event = stage.stage.events.last(where: { isDone($0.kind) }) {
                    stage.stage.play(4_800)
                    events += stage.stage.events
                    return Int(event.frame.rawValue)
                }
                Thread.sleep(forTimeInterval: 0.004)
            }
            throw CancellationError()
        }
        func hasJoined(_ kind: EngineEvent.Kind) -> Bool {
            if case .stems(.joined) = kind { return true }
            return false
        }
        func hasLeft(_ kind: EngineEvent.Kind) -> Bool {
            if case .stems(.left) = kind { return true }
            return false
        }
        _ = try stage.session.perform(.stems(.play))
        let start = try play { $0 == .stems(.started(position: 0)) }
        try await stage.act(#"{"do": "addStem", "file": "other.wav"}"#)
        let added = try play(until: hasJoined)
        let id = try #require(stage.document.stems.last?.id)
        try await stage.act(#"{"do": "editStem", "stem": "\#(id)", "set": {"offset": 12345}}"#)
        let shifted = try play(until: hasJoined)
        try await stage.act(#"{"do": "removeStem", "stem": "\#(id)"}"#)
        let removed = try play(until: hasLeft)
        try await stage.act(#"{"do": "undo"}"#)
        let restored = try play(until: hasJoined)
        let kept = try WaveContents(path: stage.folder.folder.path("long.wav")).channels[0]
        let other = try WaveContents(path: stage.folder.folder.path("other.wav")).channels[0]
        func ramp(_ frame: Int, from first: Int) -> Float { min(1, max(0, Float(frame - first) / 240)) }
        for frame in start + 24..<stage.stage.left.count {
            let position = frame - start
            let first = ramp(frame, from: added) - ramp(frame, from: shifted)
            let second = ramp(frame, from: shifted) - ramp(frame, from: removed) + ramp(frame, from: restored)
            let expected = kept[position] + first * other[position] + second * other[position + 12_345]
            let isExact = [added, shifted, removed, restored].allSatisfy { !($0..<$0 + 240).contains(frame) }
            let error = abs(stage.stage.left[frame] - expected)
            if error > (isExact ? 0 : 2e-6) {
                Issue.record("frame \(frame) is off by \(error)")
                return
            }
        }
        #expect(stage.session.player.engine.state.multitrack.underrunCount == 0)
    }

    @Test("A clip whose length in beats changes plays on without a step")
    func corrected() async throws {
        let stage = try await EditStage()
        _ = try stage.session.perform(.launch(clip: "c"))
        stage.stage.play(20_000)
        try await stage.act(#"{"do": "correctTempo", "clip": "c", "by": "double"}"#)
        stage.stage.play(20_000)
        // A sine of 220 Hz and amplitude 1, at twice its speed, moves by 0.058 a frame; the crossfade adds 1 / 240.
        let steps = zip(stage.stage.left, stage.stage.left.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.07)
        let handle = try #require(stage.session.player.clips["c"]?.handle)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.beats == 8)
    }

    @Test("A track that is removed falls silent; one in its place starts with a clean strip")
    func removed() async throws {
        let stage = try await EditStage()
        _ = try stage.session.perform(.solo(.track("u"), true))
        _ = try stage.session.perform(.launch(clip: "c"))
        stage.stage.play(4_800)
        try await stage.act(#"{"do": "removeTrack", "track": "u"}"#)
        stage.stage.play(4_800)
        #expect(stage.stage.left.suffix(2_000).allSatisfy { $0 == 0 })
        _ = try stage.session.perform(.launch(clip: "a"))
        stage.stage.play(4_800)
        #expect(stage.stage.left.suffix(2_000).contains { abs($0) > 0.01 })
    }
}

import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Loops of a session that are changed as a whole.
@Suite("Changed loops of a session", .fewAtATime)
struct LoopChangeSessionTests {
    private static let bar = LoopedSession.bar
    private static let script = """
        {"do": "transport", "action": "play", "frame": 0}
        {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 40000}
        {"do": "changeLoop", "clip": "new", "change": "reverse", "frame": 140000}
        {"do": "changeLoop", "clip": "new", "change": "multiply", "quantization": "none", "frame": 200000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 2, "frame": 230000}
        {"do": "changeLoop", "clip": "new", "change": "halfSpeed", "frame": 350000}
        {"do": "undoLayer", "clip": "new", "frame": 420000}
        """

    private static func render(_ folder: SessionFolder, block: Int) async throws -> (WaveContents, SessionPlayer) {
        let player = try await folder.player(RecordRenderTests.document)
        let output = OfflineRender.Output(
            path: folder.folder.path("mix.wav"), takesFolder: folder.folder.path("takes"))
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: Int64(10 * bar), blockFrames: block, output: output)
        try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
        _ = try render.run()
        return (try WaveContents(path: folder.folder.path("mix.wav")), player)
    }

    @Test("A script renders the same at any block size, and it is what is played live")
    func scripts() async throws {
        let folder = try LoopedSession.folder()
        let (usual, player) = try await Self.render(folder, block: 1_024)
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
        #expect(
            (1_000..<Self.bar - 1_000).allSatisfy { place in
                usual.channels[0][3 * Self.bar + place] == input[2 * Self.bar - 1 - place]
            })
        let clip = try #require(player.document.tracks[0].clips.first)
        #expect(clip.beats == 8 && clip.layers.map(\.beats) == [4, 4, 8] && clip.undoneLayers.map(\.beats) == [16])
        for block in [64, 333] {
            let (other, _) = try await Self.render(try LoopedSession.folder(), block: block)
            #expect(other.channels == usual.channels)
        }
        let played = try await LoopedSession()
        for line in Self.script.split(separator: "\n") {
            try await played.act(String(line))
            let frame = try #require(line.split(separator: " ").last.flatMap { Int($0.dropLast()) })
            played.play(to: max(frame + 1_000, played.stage.left.count))
        }
        played.play(to: 10 * Self.bar)
        #expect(played.stage.left == usual.channels[0])
    }

    @Test("A change is a step of undo, and a session that is opened again has it")
    func steps() async throws {
        let looped = try await LoopedSession()
        try await looped.record()
        try await looped.act(#"{"do": "changeLoop", "clip": "new", "change": "multiply"}"#)
        looped.play(to: 8 * Self.bar)
        looped.session.player.takes.finish()
        let changed = try #require(looped.clip)
        #expect(changed.beats == 8 && changed.layers.count == 2)
        #expect(looped.session.status.undo == "Change loop")
        let document = try SessionDocument(looped.session.player.document.json, file: looped.folder.path)
        let player = try await SessionPlayer(document, path: looped.folder.path) { $0.reserveForEditing() }
        let stage = Stage(player)
        try player.perform(.transport(isRolling: true), at: FrameTime.zero)
        try player.perform(.launch(clip: "new"), at: FrameTime(100))
        while stage.left.count < 4 * Self.bar { stage.play(512) }
        #expect((1_000..<Self.bar - 1_000).allSatisfy { stage.left[Self.bar + $0] == looped.hears[7 * Self.bar + $0] })
        try await looped.act(#"{"do": "undo"}"#)
        #expect(looped.clip?.beats == 4 && looped.clip?.layers.count == 1)
        try await looped.act(#"{"do": "redo"}"#)
        #expect(looped.clip == changed)
    }

    @Test("What can't be recorded over can't be changed, in words")
    func refused() async throws {
        let looped = try await LoopedSession()
        try await looped.record()
        try await looped.act(#"{"do": "editClip", "clip": "new", "set": {"playback": "stretch"}}"#)
        for action in [
            #"{"do": "changeLoop", "clip": "new", "change": "reverse"}"#,
            #"{"do": "changeLoop", "clip": "none", "change": "reverse"}"#,
            #"{"do": "changeLoop", "clip": "new", "change": "sideways"}"#,
        ] { await #expect(throws: SessionError.self) { try await looped.act(action) } }
    }
}

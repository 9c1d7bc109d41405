import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Inputs of a session that are of what is played.
@Suite("Recording what a session plays", .fewAtATime)
struct ResampleSessionTests {
    private static let bar = LoopedSession.bar
    private static let document = """
        {"barline": 1, "tempo": 240, "inputs": [{"name": "mix", "from": {"output": "main"}}, {"name": "beat", "from": {"track": "d"}}],
         "tracks": [{"id": "d", "clips": [{"id": "loop", "file": "mic.wav", "end": 36000, "beats": 3}]},
          {"id": "t", "input": "mix"}, {"id": "u", "input": "beat"}]}
        """
    private static let script = """
        {"do": "transport", "action": "play", "frame": 0}
        {"do": "launch", "clip": "loop", "frame": 10}
        {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "all", "frame": 140000}
        {"do": "recordClip", "track": "u", "slot": 0, "bars": 1, "id": "one", "frame": 190000}
        """

    @Test("A script that records what is played needs no files, and renders the same at any block size")
    func rendered() async throws {
        var mixes: [[[Float]]] = []
        for block in [1_024, 64, 333] {
            let folder = try LoopedSession.folder()
            let player = try await folder.player(Self.document)
            let output = OfflineRender.Output(
                path: folder.folder.path("mix.wav"), takesFolder: folder.folder.path("takes"))
            let render = try OfflineRender(
                player, script: try folder.script(Self.script), frames: Int64(8 * Self.bar), blockFrames: block,
                output: output)
            _ = try render.run()
            let mix = try WaveContents(path: folder.folder.path("mix.wav")).channels
            let (all, one) = (
                try WaveContents(path: folder.folder.path("takes/all.wav")).channels,
                try WaveContents(path: folder.folder.path("takes/one.wav")).channels
            )
            // In bar 3 the loop plays alone, in bar 4 with what was recorded of it.
            #expect(all[0].count == Self.bar && one[0].count == Self.bar)
            #expect((0..<Self.bar).allSatisfy { all[0][$0] == mix[0][3 * Self.bar + $0] })
            let source = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
            let inner = (0..<Self.bar).filter { (4 * Self.bar + $0) % 36_000 < 35_000 }
            #expect(inner.allSatisfy { one[0][$0] == source[(4 * Self.bar + $0) % 36_000] })
            #expect((1_000..<40_000).contains { mix[0][4 * Self.bar + $0] != one[0][$0] })
            mixes.append(mix)
        }
        #expect(mixes[1] == mixes[0] && mixes[2] == mixes[0])
    }

    @Test(
        "What was recorded of it long before a performance begins is in its render",
        arguments: [
            #"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "all", "frame": 140000}"#,
            #"{"do": "recordClip", "track": "u", "slot": 0, "bars": 2, "id": "one", "frame": 140000}"#,
            #"{"do": "keepLast", "track": "t", "slot": 0, "bars": 2, "id": "all", "frame": 290000}"#
                + "\n" + #"{"do": "launch", "clip": "all", "frame": 300000}"#,
        ])
    func past(recorded: String) async throws {
        let past = 14 * Self.bar
        let length = 4 * Self.bar
        let actions =
            #"{"do": "transport", "action": "play", "frame": 0}"# + "\n"
            + #"{"do": "launch", "clip": "loop", "frame": 10}"# + "\n" + recorded + "\n"
            + #"{"do": "stop", "track": "d", "frame": \#(12 * Self.bar)}"#
        func render(from first: Int) async throws -> [[Float]] {
            let folder = try LoopedSession.folder()
            let player = try await folder.player(Self.document)
            let lines = try actions.split(separator: "\n").map { line in
                guard case .object(var values) = try JSONValue(parsing: String(line)),
                    case .number(let frame)? = values["frame"]
                else { throw CancellationError() }
                values["frame"] = .number(frame - Double(first))
                return JSONValue.object(values).line
            }
            let facts = #""frame": \#(-first), "frames": \#(past + length - first), "sampleRate": 48000"#
            let begin =
                #"{"do": "begin", \#(facts), "folder": "\#(folder.folder.path)", "session": "#
                + Self.document.replacingOccurrences(of: "\n", with: " ") + "}"
            let render = try OfflineRender(
                player, script: try folder.script(([begin] + lines).joined(separator: "\n")),
                frames: Int64(past + length - first), blockFrames: 1_024,
                output: .init(path: folder.folder.path("mix.wav")))
            _ = try render.run()
            return try WaveContents(path: folder.folder.path("mix.wav")).channels
        }
        let whole = try await render(from: 0).map { Array($0.dropFirst(past)) }
        #expect(whole[0].contains { abs($0) > 0.05 })
        #expect(try await render(from: past) == whole)
    }

    @Test("A take whose input gets another source meanwhile has what came before, and is not said to lack it")
    func otherSource() async throws {
        let played = try await LoopedSession(Self.document)
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "launch", "clip": "loop"}"#)
        played.play(to: 2 * Self.bar - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "u", "slot": 0, "bars": 3, "id": "one"}"#)
        played.play(to: 4 * Self.bar)
        try await played.act(#"{"do": "editInput", "input": "beat", "set": {"from": {"track": "t"}}}"#)
        played.play(to: 6 * Self.bar)
        #expect(played.session.takeNotices().isEmpty)
        played.session.player.takes.finish()
        let clip = try #require(played.session.player.document.tracks[2].clips.first)
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
        let sound = try WaveContents(path: path).channels[0][clip.start..<(clip.end ?? 0)]
        #expect(sound.count == 3 * Self.bar)
        #expect(sound.prefix(Self.bar).contains { abs($0) > 0.05 })
        #expect(sound.suffix(Self.bar - 1_000).allSatisfy { $0 == 0 })
    }

    @Test("What is kept of it after a pause is in the render of a take, and so is what sounded before")
    func keptAfterPause() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addInput", "name": "mix", "set": {"from": {"output": "main"}}}"#)
        try await stage.act(#"{"do": "editTrack", "track": "v", "set": {"input": "mix"}}"#)
        try await stage.act(#"{"do": "addPad", "file": "a.wav", "slot": 0}"#)
        let pad = try #require(stage.session.player.document.pads.first?.id)
        for _ in 0..<3 {
            try await stage.act(#"{"do": "hit", "pad": "\#(pad)"}"#)
            stage.play(40_000)
        }
        stage.play(40_000)
        try await stage.act(#"{"do": "gain", "track": "u", "db": -1}"#)
        stage.play(1_000)
        try await stage.act(#"{"do": "keepLast", "track": "v", "slot": 3, "bars": 2, "id": "jam"}"#)
        stage.play(40_000)
        try await stage.act(#"{"do": "launch", "clip": "jam"}"#)
        try await stage.act(#"{"do": "record"}"#)
        stage.play(300_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }
}

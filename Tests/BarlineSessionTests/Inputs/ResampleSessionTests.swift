import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Inputs of a session that are of what is played.
@Suite("Recording what a session plays")
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
}

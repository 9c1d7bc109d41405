import BarlineEngine
import BarlineTestSupport
import Testing

@testable import BarlineSession

/// What is changed of a list while one item fades into another.
@Suite("Edits of the list within a crossfade", .fewAtATime)
struct CrossfadeEditTests {
    private static let document = """
        {"barline": 1, "playlistSettings": {"crossfade": 2},
         "playlist": [{"id": "p", "file": "p.wav"}, {"id": "q", "file": "q.wav"}, {"id": "r", "file": "p.wav"}]}
        """

    private func render(_ edits: String) async throws -> [Float] {
        let folder = try SessionFolder()
        try folder.folder.write("p.wav", Sound.tone(400_000, cycles: 3_000))
        try folder.folder.write("q.wav", Sound.tone(400_000, cycles: 5_000))
        let player = try await folder.player(Self.document)
        let path = folder.folder.path("mix.wav")
        let script = try folder.script(
            """
            {"at": 0, "do": "playlist", "action": "play", "index": 0}
            {"at": 1, "do": "playlist", "action": "play", "index": 1}
            """ + "\n" + edits)
        let render = try OfflineRender(
            player, script: script, frames: 4 * 48_000, blockFrames: 256, output: OfflineRender.Output(path: path))
        _ = try render.run()
        return try WaveContents(path: path).channels[0]
    }

    private func difference(_ first: [Float], _ second: [Float]) -> Float {
        zip(first, second).map { abs($0 - $1) }.max() ?? 1
    }

    @Test("The crossfade that is under way goes on, whatever the next one is to be")
    func length() async throws {
        let plain = try await render("")
        // The item that comes is far from its level there.
        for edits in [
            #"{"at": 1.4, "do": "playlist", "action": "crossfade", "seconds": 2.5}"#,
            """
            {"at": 1.4, "do": "playlist", "action": "crossfade", "seconds": 2.5}
            {"at": 1.41, "do": "playlist", "action": "crossfade", "seconds": 1}
            {"at": 2, "do": "playlist", "action": "crossfade", "seconds": 3}
            """,
        ] {
            // The two take over from each other within 5 ms, in which the fade is as good as a line.
            #expect(difference(try await render(edits), plain) < 1e-3)
        }
    }

    @Test("An item whose pitch is changed while it comes goes on to come")
    func pitch() async throws {
        let changed = try await render(
            #"{"at": 1.2, "do": "playlist", "action": "transpose", "index": 1, "semitones": 5}"#)
        func power(_ frames: Range<Int>) -> Float {
            frames.reduce(0) { $0 + changed[$1] * changed[$1] } / Float(frames.count)
        }
        // Two that crossfade have the power of one: nothing of that is seen in how loud it is.
        let before = power(40_000..<46_000)
        for place in stride(from: 50_000, to: 160_000, by: 6_000) {
            #expect(abs(power(place..<place + 6_000) / before - 1) < 0.25, "at \(place)")
        }
    }
}

import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What is set of a list while it is paused just before an item's end.
@Suite("A paused list", .fewAtATime)
struct PausedListTests {
    @Test(
        "Played on, it sounds the same in blocks of any size, whatever was set in the pause",
        arguments: [1, 20, 200, 480])
    func crossfade(left: Int) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(70_000, seed: 1))
        try folder.folder.write("b.wav", Sound.noise(60_000, seed: 2))
        let script = """
            {"frame": 0, "do": "playlist", "action": "play"}
            {"frame": 20000, "do": "playlist", "action": "pause"}
            {"frame": 21000, "do": "playlist", "action": "seek", "position": \(Double(70_000 - left) / 48_000)}
            {"frame": 24187, "do": "playlist", "action": "crossfade", "seconds": 0.5}
            {"frame": 30011, "do": "playlist", "action": "resume"}
            """
        var mixes: [WaveContents] = []
        for blockFrames in [7, 64, 256, 4_096] {
            mixes.append(
                try await folder.render(
                    #"{"barline": 1, "playlist": [{"id": "1", "file": "a.wav"}, {"id": "2", "file": "b.wav"}]}"#,
                    script: script, frames: 60_000, blockFrames: blockFrames))
        }
        for mix in mixes.dropFirst() { #expect(mix.channels == mixes[0].channels) }
        #expect(mixes[0].channels[0][32_000...].contains { $0 != 0 })
    }
}

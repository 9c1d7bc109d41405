import BarlineTestSupport
import Foundation
import Testing

/// `barline render` of stems whose tempo is known.
@Suite("Rendering stems on the grid")
struct StemGridTests {
    @Test("A bar is counted in; then each beat of the song has its click", arguments: ["64", "1024"])
    func countIn(block: String) throws {
        let folder = try TemporaryFolder()
        let beat = 60.0 / 93 * 44_100
        // What is on the file's own first frame comes in over half a millisecond: there is nothing.
        let beats = (1..<16).map { Int((Double($0) * beat).rounded()) }
        var song = [Double](repeating: 0, count: 500_000)
        for frame in beats { song[frame] = 0.5 }
        try folder.write("song.wav", WaveFile(song, sampleRate: 44_100).bytes)
        try folder.write(
            "set.barline",
            """
            {"barline": 1, "metronome": {"enabled": true, "countIn": 1}, "stemSet": {"bpm": 93},
             "stems": [{"id": "song", "file": "song.wav"}]}
            """)
        try folder.write("script.jsonl", #"{"at": 0.5, "do": "stems", "action": "play"}"#)
        let outcome = try Barline.run([
            "render", folder.path("set.barline"), "--script", folder.path("script.jsonl"), "--duration", "12",
            "--output", folder.path("out.wav"), "--sample-rate", "44100", "--block-size", block, "--stems-out",
            folder.path("apart"), "--events", folder.path("events.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let start = 22_050 + Int((4 * beat).rounded())
        let stem = try WaveContents(path: folder.path("apart/stem-song.wav")).channels[0]
        let heard = stem.indices.filter { stem[$0] > 0.4 }
        #expect(heard == beats.map { $0 + start }.filter { $0 < stem.count })
        let click = try WaveContents(path: folder.path("apart/metronome.wav")).channels[0]
        // A click begins with a zero, then rises.
        let onsets = click.indices.dropFirst(5_000).filter { frame in
            click[frame] != 0 && click[(frame - 4_000)..<frame].allSatisfy { $0 == 0 }
        }
        #expect(onsets.count == 5 + heard.count || onsets.count == 6 + heard.count)
        for (onset, impulse) in zip(onsets.dropFirst(5), heard) { #expect(abs(onset - 1 - impulse) <= 1) }
        let events = try JSONLines.objects(try folder.text("events.jsonl"))
        func frames(_ kind: String) -> [Int] {
            events.filter { $0.text("event") == kind }.compactMap { $0.integer("frame") }
        }
        #expect(frames("stemsStarted") == [start])
        #expect(frames("transportStarted") == [22_050])
    }
}

import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Pitch and tempo of what plays, changed by a script.
@Suite("Changes of the session in a script", .fewAtATime)
struct ScriptChangeTests {
    /// Where the change is due: on no boundary of a block, a beat or a hop.
    private static let due = 151_357
    private static let frames = 300_000

    /// A loop of four hits, not evenly spaced, over a tone.
    private static func hits(_ turns: Int = 1) -> [UInt8] {
        var samples = (0..<96_000).map { 0.1 * sin(2 * .pi * 440 * Double($0) / 48_000) }
        for (index, hit) in [0, 23_000, 49_500, 72_400].enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<3_000 {
                samples[hit + offset] += random.double(-0.6...0.6) * exp(-Double(offset) / 400)
            }
        }
        return WaveFile((0..<turns).flatMap { _ in samples }).bytes
    }

    private static func session(clip: String = "", stems: String = "") -> String {
        """
        {"barline": 1, "tempo": 120, "launchQuantization": "none", "firstLaunch": "immediate",
         "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 4, "playback": "stretch"\(clip)}]}],
         "stems": [{"id": "s", "file": "long.wav"\(stems)}]}
        """
    }

    private static let play = """
        {"frame": 0, "do": "launch", "clip": "a"}
        {"frame": 0, "do": "tempo", "bpm": 110}

        """
    private static let playStems = #"{"frame": 0, "do": "stems", "action": "play"}"# + "\n"

    private func render(
        _ session: String, _ script: String, blockFrames: Int = 1_024
    ) async throws -> [Float] {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Self.hits())
        try folder.folder.write("long.wav", Self.hits(6))
        let player = try await folder.player(session)
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: Int64(Self.frames), blockFrames: blockFrames,
            output: OfflineRender.Output(path: folder.folder.path("mix.wav")))
        try await render.loadEdits()
        _ = try render.run()
        return try WaveContents(path: folder.folder.path("mix.wav")).channels[0]
    }

    private func firstDifference(_ one: [Float], _ other: [Float]) -> Int? {
        zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// What is changed while it plays.
    struct Change: Sendable, CustomTestStringConvertible {
        let words: String
        var clip = ""
        var stems = ""
        var playsStems = false

        var testDescription: String { words }
    }

    static let changes: [Change] = [
        Change(words: #""do": "transposeClip", "clip": "a", "semitones": 12"#),
        Change(words: #""do": "stretchClip", "clip": "a", "mode": "tonal""#, clip: #", "stretchMode": "beats""#),
        Change(words: #""do": "formantsOfClip", "clip": "a", "semitones": 5"#),
        Change(words: #""do": "editClip", "clip": "a", "set": {"playback": "repitch"}"#),
        Change(words: #""do": "correctTempo", "clip": "a", "by": "double""#),
        Change(words: #""do": "followBeats", "clip": "a", "amount": 50"#),
        Change(words: #""do": "quantizeClip", "clip": "a", "grid": "1/4""#),
        Change(words: #""do": "setWarpMarker", "clip": "a", "sourceFrame": 49500, "beat": 2"#),
        Change(
            words: #""do": "removeWarpMarker", "clip": "a""#,
            clip: #", "beats": null, "warp": [{"frame": 0, "beat": 0}, {"frame": 49500, "beat": 2}]"#),
        Change(words: #""do": "transposeStem", "semitones": -7"#, playsStems: true),
        Change(words: #""do": "formantsOfStem", "stem": "s", "semitones": 5"#, playsStems: true),
        Change(words: #""do": "editStem", "stem": "s", "set": {"transpose": 4}"#, playsStems: true),
        Change(words: #""do": "playbackOfStems", "playback": "stretch", "bpm": 100"#, playsStems: true),
    ]

    @Test("A change is heard from its frame on, and not before, whatever the block size", arguments: changes)
    func frame(change: Change) async throws {
        let session = Self.session(clip: change.clip, stems: change.stems)
        let play = change.playsStems ? Self.playStems : Self.play
        let line = "{\"frame\": \(Self.due), \(change.words)}"
        let unchanged = try await render(session, play)
        let changed = try await render(session, play + line)
        let first = try #require(firstDifference(unchanged, changed))
        // Across a fade of 5 ms, which begins with nothing; one that copies on waits for its next grain.
        #expect((Self.due..<Self.due + 4_800).contains(first), "\(first)")
        for blockFrames in [64, 4_096] {
            #expect(try await render(session, play + line, blockFrames: blockFrames) == changed, "\(blockFrames)")
        }
    }

    /// The level of a frequency in the half second that begins at `start`.
    private func level(_ hertz: Double, in sound: [Float], from start: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<24_000 {
            let angle = 2 * .pi * hertz * Double(index) / 48_000
            real += Double(sound[start + index]) * cos(angle) / 12_000
            imaginary += Double(sound[start + index]) * sin(angle) / 12_000
        }
        return (real * real + imaginary * imaginary).squareRoot()
    }

    @Test("A clip that is transposed by an octave has its tone an octave higher from there on, at its level")
    func transposed() async throws {
        let launch = #"{"frame": 0, "do": "launch", "clip": "a"}"# + "\n"
        let line = #"{"frame": \#(Self.due), "do": "transposeClip", "clip": "a", "semitones": 12}"#
        let changed = try await render(Self.session(), launch + line)
        for (start, tone) in [(120_000, 440.0), (Self.due + 4_800, 880.0)] {
            #expect(abs(level(tone, in: changed, from: start) - 0.1) < 0.02, "\(tone)")
            #expect(level(1_320 - tone, in: changed, from: start) < 0.02, "\(tone)")
        }
    }

    @Test("One change follows the other, and what the script does to the playlist and to faders stays")
    func chain() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Self.hits())
        try folder.folder.write("long.wav", Self.hits(6))
        let player = try await folder.player(Self.session())
        let script = try folder.script(
            Self.play + """
                {"frame": 20000, "do": "gain", "track": "t", "db": -20}
                {"frame": 20000, "do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "p"}
                {"frame": 30000, "do": "startPosition", "clip": "a", "value": "synced"}
                {"frame": 40000, "do": "setWarpMarker", "clip": "a", "sourceFrame": 24000, "beat": 1.5}
                {"frame": 50000, "do": "setWarpMarker", "clip": "a", "sourceFrame": 48000}
                {"frame": 60000, "do": "transposeClip", "clip": "a", "semitones": -3.5}
                """)
        var render = try OfflineRender(
            player, script: script, frames: 70_000, blockFrames: 1_000,
            output: OfflineRender.Output(path: folder.folder.path("mix.wav")))
        try await render.loadEdits()
        _ = try render.run()
        let clip = player.document.tracks[0].clips[0]
        #expect(clip.transpose == -3.5 && clip.startPosition == .synced)
        // The marker in the middle is on the beat that the one before has put it on.
        let between = try #require(clip.warp?.first { $0.frame == 48_000 })
        #expect(abs(between.beat - (1.5 + 24_000.0 / 72_000 * 2.5)) < 1e-9)
        #expect(player.playlist.listing.documents.map(\.id) == ["p"])
        #expect(player.document.tracks[0].gain == 0)
        #expect(player.engine.mixer[.track(TrackIndex(0))].gain == Decibels(-20))
    }

    @Test(
        "What a change names must be there, and what it says be right",
        arguments: [
            (#""do": "transposeClip", "clip": "b", "semitones": 1"#, "line 1.clip"),
            (#""do": "editStem", "stem": "a", "set": {}"#, "line 1.stem"),
            (#""do": "transposeClip", "clip": "a", "semitones": 25"#, "line 1.semitones"),
            (#""do": "transposeClip", "semitones": 1"#, "line 1.clip"),
            (#""do": "stretchClip", "clip": "a", "mode": "loud""#, "line 1.mode"),
            (#""do": "editClip", "clip": "a", "set": {"file": "/etc/passwd"}"#, "line 1: set.file"),
            (#""do": "setWarpMarker", "clip": "a", "sourceFrame": 10, "beat": 9"#, "line 1: beat"),
            (#""do": "setWarpMarker", "clip": "a", "sourceFrame": -1"#, "line 1.sourceFrame"),
            (#""do": "setWarpMarker", "clip": "a""#, "line 1.sourceFrame"),
            (#""do": "removeClip", "clip": "a""#, "line 1.do"),
        ])
    func refused(words: String, place: String) async throws {
        let error = await #expect(throws: SessionError.self) {
            try await render(Self.session(), "{\"frame\": 100, \(words)}")
        }
        let text = "\(try #require(error))"
        #expect(text.contains("script.jsonl: \(place)"), "\(text)")
    }

    @Test("It is written as it was read")
    func written() throws {
        for change in Self.changes {
            let script = try PerformanceScript(text: "{\"frame\": 7, \(change.words)}", path: "s")
            let action = try #require(script.entries.first?.action)
            let line = PerformanceScript.line(action, at: FrameTime(7))
            #expect(try PerformanceScript(text: line, path: "s").entries.map(\.action) == [action], "\(line)")
        }
        let words = Set(DocumentEdit.verbs.filter(\.facts.isScripted).map(\.facts.word))
        #expect(words.allSatisfy { word in Self.changes.contains { $0.words.contains("\"\(word)\"") } })
    }
}

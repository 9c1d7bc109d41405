import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// Cue sheets: tracks to the frame.
@Suite("Cue sheets")
struct CueSheetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> PlaylistFile { try PlaylistFile(path: try folder.write("a.cue", text)) }

    @Test("Tracks of one file meet on the same frame, at any sample rate", arguments: [8000, 44_100, 48_000, 96_000])
    func frames(rate: Int) throws {
        var random = TestRandom(seed: UInt64(rate))
        var places = (0..<99).map { _ in Int.random(in: 0..<79 * 60 * 75, using: &random) }.sorted()
        places[0] = 0
        let tracks = places.enumerated().map { index, place in
            let time = String(format: "%02d:%02d:%02d", place / 4500, place / 75 % 60, place % 75)
            return "TRACK \(index + 1) AUDIO\n INDEX 01 \(time)\n"
        }
        let entries = try read("FILE \"disc.flac\" WAVE\n" + tracks.joined()).entries
        let sampleRate = try #require(SampleRate(Double(rate)))
        // A quotient of whole numbers, rounded by hand.
        let expected = places.map { Int64((2 * $0 * rate + 75) / 150) }
        #expect(entries.map { $0.start.frame(at: sampleRate) } == expected)
        #expect(entries.map { $0.end?.frame(at: sampleRate) } == expected.dropFirst().map { $0 } + [nil])
    }

    @Test("Titles, performers, pauses and gains, of the album and of the track")
    func description() throws {
        let list = try read(
            """
            REM GENRE "Electronic"
            REM REPLAYGAIN_ALBUM_GAIN -7.25 dB
            REM REPLAYGAIN_ALBUM_PEAK 0.988
            PERFORMER "Various"
            TITLE "The  album"
            FILE "disc 1.wav" WAVE
              TRACK 01 AUDIO
                TITLE "One"
                PERFORMER Someone
                REM REPLAYGAIN_TRACK_GAIN +1.5 dB
                INDEX 00 00:00:00
                INDEX 01 00:02:00
              TRACK 02 AUDIO
                TITLE "Two"
                FLAGS DCP
                INDEX 00 03:10:20
                INDEX 01 03:12:40
            """)
        #expect(list.title == "The  album")
        let (first, second) = try (#require(list.entries.first), #require(list.entries.last))
        #expect(first.title == "One" && first.artist == "Someone" && first.album == "The  album")
        #expect(second.title == "Two" && second.artist == "Various" && second.trackNumber == 2)
        #expect(first.location == folder.path("disc 1.wav"))
        #expect(first.pauseStart == .start && first.start == SourceOffset(units: 150, per: 75))
        #expect(second.pauseStart == SourceOffset(units: (190 * 75) + 20, per: 75))
        #expect(first.end == second.start && second.end == nil)
        #expect(first.duration == Double((192 * 75) + 40 - 150) / 75)
        #expect(first.loudness == LoudnessTags(trackGain: 1.5, albumGain: -7.25, albumPeak: 0.988))
        #expect(second.loudness == LoudnessTags(albumGain: -7.25, albumPeak: 0.988))
    }

    @Test("A track that starts in the next file begins there, and the one before plays to its file's end")
    func severalFiles() throws {
        let entries = try read(
            """
            FILE "one.wav" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 00 02:00:00
            FILE "two.wav" WAVE
            INDEX 01 00:00:00
            TRACK 03 AUDIO
            INDEX 01 01:00:00
            """
        ).entries
        #expect(entries.map(\.location) == ["one.wav", "two.wav", "two.wav"].map { folder.path($0) })
        #expect(entries.map(\.end) == [nil, SourceOffset(units: 60, per: 1), nil])
    }

    @Test("Tracks of data are left out")
    func dataTracks() throws {
        let entries = try read(
            """
            FILE "game.bin" BINARY
            TRACK 01 MODE1/2352
            TITLE "Data"
            INDEX 01 00:00:00
            FILE "music.wav" WAVE
            TRACK 02 AUDIO
            INDEX 01 00:00:00
            """
        ).entries
        #expect(entries.map(\.trackNumber) == [2])
        #expect(entries.map(\.title) == [nil])
    }

    @Test(
        "What can't be meant is refused, and the line is named",
        arguments: [
            ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:75", "line 3"),
            ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:60:00", "line 3"),
            ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 -1:00:00", "line 3"),
            ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 99999999999:00:00", "line 3"), ("INDEX 01 00:00:00", "line 1"),
            ("TRACK one AUDIO", "line 1"), ("FILE", "line 1"), ("REM nothing", "no track"),
            (
                "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:09:00\nTRACK 02 AUDIO\nINDEX 01 00:08:74",
                "after the one that follows"
            ),
        ])
    func wrong(text: String, what: String) throws {
        let error = try #require(throws: AudioFileError.self) { try read(text) }
        #expect(error.problem.contains(what), "\(error)")
    }
}

import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Lists that other programs have made, on other machines, of files that have moved or changed since.
@Suite("Lists from elsewhere")
struct ForeignListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func locations(_ name: String, _ text: String) throws -> [String] {
        try PlaylistFile(path: try folder.write(name, text)).entries.map(\.location)
    }

    private func locations(_ name: String, _ bytes: [UInt8]) throws -> [String] {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return try PlaylistFile(path: folder.path(name)).entries.map(\.location)
    }

    @Test("A list in a list that is missing or broken stays an entry, and the others are read")
    func nested() throws {
        try folder.write("good.m3u", "b.wav\nc.wav\n")
        try folder.write("bad.pls", "no list\n")
        try folder.write("hls.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n")
        let names = try locations("a.m3u", "a.wav\nbad.pls\ngood.m3u\ngone.xspf\nhls.m3u8\nd.wav\n")
        #expect(
            names
                == ["a.wav", "bad.pls", "b.wav", "c.wav", "gone.xspf", "hls.m3u8", "d.wav"].map(folder.path))
    }

    @Test("A file of another machine is an entry that is missing, not none")
    func hosts() throws {
        for (name, text) in [
            ("a.m3u", "file://nas/music/a%20b.wav\nc.wav\n"),
            ("a.pls", "[playlist]\nFile1=file://nas/music/a%20b.wav\nFile2=c.wav\n"),
            (
                "a.xspf",
                "<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>file://nas/music/a%20b.wav"
                    + "</location></track><track><location>c.wav</location></track></trackList></playlist>"
            ),
        ] {
            #expect(try locations(name, text) == ["//nas/music/a b.wav", folder.path("c.wav")], "\(name)")
        }
    }

    @Test("A relative path with a percent coding is the file that there is")
    func percent() throws {
        try folder.write("My Song.wav", "")
        try folder.write("100%25.wav", "")
        let names = try locations("a.m3u", "My%20Song.wav\n100%25.wav\nnone%20such.wav\n")
        #expect(names == ["My Song.wav", "100%25.wav", "none%20such.wav"].map(folder.path))
    }

    @Test("What begins like a comment is a file where there is one of that name")
    func numbers() throws {
        try folder.write("#1 hit.wav", "")
        let names = try locations("a.m3u", "#EXTM3U\n#1 hit.wav\n#2 hit.wav\n# a comment\n")
        #expect(names == [folder.path("#1 hit.wav")])
    }

    @Test("Names in Shift-JIS are Japanese, and names in Windows' Latin-1 are what they were")
    func encodings() throws {
        let kana: [UInt8] = [0x83, 0x56, 0x83, 0x93]
        let kanji: [UInt8] = [0x8D, 0xE2, 0x96, 0x7B, 0x97, 0xB4, 0x88, 0xEA]
        let end = Array(".wav\n".utf8)
        #expect(try locations("a.m3u", kana + end) == [folder.path("シン.wav")])
        #expect(try locations("b.m3u", kanji + end) == [folder.path("坂本龍一.wav")])
        // In each of these some bytes would be characters of Shift-JIS as well.
        for name in ["Été", "Don’t—no", "Mötley Crüe", "“Ñandú” – 1", "Ça va", "dé à coudre", "àé"] {
            let bytes = try #require("\(name).wav\n".data(using: .windowsCP1252))
            #expect(try locations("c.m3u", Array(bytes)) == [folder.path("\(name).wav")])
        }
    }

    @Test("A sheet may name a file twice, one that was encoded since, and tracks that are no sound")
    func sheets() throws {
        try folder.write("disc.flac", "")
        let again = try PlaylistFile(
            path: try folder.write(
                "again.cue",
                """
                FILE "disc.wav" WAVE
                TRACK 01 AUDIO
                INDEX 01 00:10:00
                FILE "disc.wav" WAVE
                TRACK 02 AUDIO
                INDEX 01 00:00:00
                TRACK 03 MODE1/2352
                INDEX 01 00:05:00
                TITLE "Data"
                """))
        #expect(again.entries.map(\.location) == [folder.path("disc.flac"), folder.path("disc.flac")])
        #expect(again.entries.map(\.start.seconds) == [10, 0])
        // The track that is no sound is where the one before it ends.
        #expect(again.entries.map { $0.end?.seconds } == [nil, 5])
        #expect(again.entries.map(\.title) == [nil, nil])
        // Which of two is meant nobody knows.
        try folder.write("disc.mp3", "")
        let sheet = "FILE \"disc.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
        #expect(try locations("one.cue", sheet) == [folder.path("disc.wav")])
        let backwards = sheet + "TRACK 02 AUDIO\nINDEX 01 00:05:00\nTRACK 03 AUDIO\nINDEX 01 00:04:00\n"
        #expect(throws: AudioFileError.self) { try locations("back.cue", backwards) }
    }
}

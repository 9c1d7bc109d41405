import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// What is written is read again, here and elsewhere.
@Suite("Writing playlists")
struct ListWritingTests {
    private func list(in folder: TemporaryFolder) -> PlaylistFile {
        var list = PlaylistFile()
        list.title = "Süß & <bitter>"
        list.entries = [
            PlaylistEntry(location: folder.path("sub/50% of #1 – ü.wav"), title: "a < b & \"c\"", artist: "Ärzte"),
            PlaylistEntry(location: folder.path("#hash.wav"), title: "Hash", duration: 61),
            PlaylistEntry(location: "/somewhere/else.flac"),
            PlaylistEntry(location: "https://radio.example/x?a=1&b=%20"),
        ]
        list.entries[0].album = "Album"
        list.entries[0].trackNumber = 7
        list.entries[2].start = SourceOffset(units: 12_345, per: 44_100) ?? .start
        list.entries[2].end = SourceOffset(units: 1_000_001, per: 75)
        return list
    }

    @Test("XSPF keeps everything, offsets to the exact unit")
    func xspf() throws {
        let folder = try TemporaryFolder()
        let list = list(in: folder)
        try list.write(path: folder.path("a.xspf"))
        #expect(try PlaylistFile(path: folder.path("a.xspf")) == list)
        let other = try Program.run(
            "python3",
            [
                "-c",
                """
                import sys, xml.dom.minidom as m
                for n in m.parse(sys.argv[1]).getElementsByTagNameNS('http://xspf.org/ns/0/', 'location'): print(n.firstChild.data)
                """, folder.path("a.xspf"),
            ])
        #expect(
            other.output.split(separator: "\n").map(String.init) == [
                "file://\(folder.path)/sub/50%25%20of%20%231%20%E2%80%93%20%C3%BC.wav",
                "file://\(folder.path)/%23hash.wav", "file:///somewhere/else.flac", "https://radio.example/x?a=1&b=%20",
            ], "\(other.errors)")
    }

    @Test("M3U8 keeps what it can, and paths beneath it relative")
    func m3u8() throws {
        let folder = try TemporaryFolder()
        let list = list(in: folder)
        try list.write(path: folder.path("a.m3u8"))
        let lines = try folder.text("a.m3u8").split(separator: "\n")
        #expect(lines.contains("sub/50% of #1 – ü.wav") && lines.contains("./#hash.wav"))
        let again = try PlaylistFile(path: folder.path("a.m3u8"))
        #expect(again.title == list.title)
        #expect(again.entries.map(\.location) == list.entries.map(\.location))
        #expect(again.entries.map(\.title) == list.entries.map(\.title))
        #expect(again.entries.map(\.artist) == list.entries.map(\.artist))
        #expect(again.entries.map(\.duration) == list.entries.map(\.duration))
        for rate in [44_100.0, 48_000, 192_000].compactMap({ SampleRate($0) }) {
            #expect(again.entries[2].start.frame(at: rate) == list.entries[2].start.frame(at: rate))
            #expect(again.entries[2].end?.frame(at: rate) == list.entries[2].end?.frame(at: rate))
        }
    }

    @Test("Titles with line ends, and control characters that XML can't have, break nothing")
    func hostileTitles() throws {
        let folder = try TemporaryFolder()
        var list = PlaylistFile()
        list.entries = [PlaylistEntry(location: "/a.wav", title: "one\n/b.wav\u{1}")]
        for name in ["a.xspf", "a.m3u8"] {
            try list.write(path: folder.path(name))
            #expect(try PlaylistFile(path: folder.path(name)).entries.map(\.location) == ["/a.wav"])
        }
    }

    @Test("Titles with marks over characters that XML writes otherwise are kept")
    func marks() throws {
        let folder = try TemporaryFolder()
        var list = PlaylistFile()
        let titles = ["<\u{319}R", "a &\u{301}", ">\u{308}<\u{308}&amp;\u{308}"]
        list.entries = titles.map { PlaylistEntry(location: "/a.wav", title: $0) }
        try list.write(path: folder.path("a.xspf"))
        #expect(try PlaylistFile(path: folder.path("a.xspf")).entries.map(\.title) == titles)
    }

    @Test("Only XSPF and M3U8 are written, and only where there is a folder")
    func refusals() throws {
        let folder = try TemporaryFolder()
        for name in ["a.pls", "a.m3u", "a.cue", "a"] {
            let error = try #require(throws: AudioFileError.self) { try PlaylistFile().write(path: folder.path(name)) }
            #expect(error.problem.contains(".xspf or .m3u8"))
        }
        let error = try #require(throws: AudioFileError.self) {
            try PlaylistFile().write(path: folder.path("none/a.xspf"))
        }
        #expect(
            error == .cannotWrite(path: folder.path("none/a.xspf"), reason: "its folder is missing, full or not yours"))
    }
}

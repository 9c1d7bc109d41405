import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// Lists that are none, or mean harm.
@Suite("Bad playlists", .timeLimit(.minutes(10)))
struct BadListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problem(_ name: String, _ text: String) throws -> String {
        let path = try folder.write(name, text)
        return try #require(throws: AudioFileError.self) { try PlaylistFile(path: path) }.problem
    }

    @Test("What is no list is said to be none, and why")
    func notLists() throws {
        #expect(try problem("a.pls", "File1=x.wav").contains("no section [playlist]"))
        #expect(try problem("a.xspf", "<playlist><trackList>").contains("ends within"))
        #expect(try problem("b.xspf", "<html></html>").contains("html, not playlist"))
        #expect(try problem("a.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\nx.ts").contains("HLS"))
        #expect(try problem("a.txt", "hello").contains("none of"))
        #expect(throws: AudioFileError.notAFile(path: folder.path, kind: "a folder")) {
            try PlaylistFile(path: folder.path)
        }
    }

    @Test("A list that contains itself, or others without end, is refused")
    func loops() throws {
        try folder.write("b.m3u", "a.m3u\n")
        #expect(try problem("a.m3u", "x.wav\nb.m3u\n").contains("contains itself"))
        for depth in 0..<20 { try folder.write("deep\(depth).m3u", "deep\(depth + 1).m3u\n") }
        #expect(try problem("deep.m3u", "deep0.m3u\n").contains("nested"))
    }

    @Test("Entities are not expanded, and nothing else is read")
    func entities() throws {
        let secret = try folder.write("secret", "secret")
        let external = "<!DOCTYPE p [<!ENTITY e SYSTEM \"file://\(secret)\">]>"
        let laughs = "<!DOCTYPE p [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
        for document in [external, laughs] {
            let text = document + "<playlist><title>&e;&b;</title><trackList/></playlist>"
            #expect(try problem("a.xspf", text).contains("document type"))
        }
        #expect(try problem("b.xspf", String(repeating: "<a>", count: 10_000)).contains("not playlist"))
        let deep = "<playlist>" + String(repeating: "<a>", count: 10_000)
        #expect(try problem("c.xspf", deep).contains("too deep"))
    }

    @Test("A list is bounded in bytes and entries")
    func bounds() throws {
        let large = try folder.write("a.m3u", "x.wav\n")
        #expect(truncate(large, 17 << 20) == 0)
        #expect(try #require(throws: AudioFileError.self) { try PlaylistFile(path: large) }.problem.contains("bytes"))
        #expect(try problem("b.m3u", String(repeating: "x\n", count: 100_001)).contains("entries"))
    }

    @Test("Random bytes and cut lists are read or refused, and it ends")
    func noise() throws {
        var random = TestRandom(seed: 5)
        let seeds = [
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n", "[playlist]\nFile1=a\nLength1=9e999\n",
            "#EXTM3U\n#EXTINF:1,a - b\n#EXTVLCOPT:start-time=1.5\nx\n",
            "<playlist><trackList><track><location>%zz</location><duration>1e400</duration></track></trackList></playlist>",
        ]
        for round in 0..<4000 {
            var bytes = Array(seeds[round % 4].utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let name = ["a.cue", "a.pls", "a.m3u8", "a.xspf"][round % 4]
            let cut = Int.random(in: 1...bytes.count, using: &random)
            if let list = try? PlaylistFile(path: try folder.write(name, Array(bytes.prefix(cut)))) {
                for entry in list.entries { #expect(entry.duration.map(\.isFinite) != false) }
            }
        }
    }

    @Test("Offsets are digits, and in range")
    func offsets() {
        for text in ["", ".", "-1", "1e3", "1.-5", "١", "99999999999", "1.2.3", "+1"] {
            #expect(SourceOffset(seconds: text) == nil, "\(text)")
        }
        #expect(SourceOffset(seconds: "1.5") == SourceOffset(units: 3, per: 2))
        #expect(SourceOffset(seconds: ".25") == SourceOffset(units: 1, per: 4))
        #expect(SourceOffset(units: 1, per: 0) == nil && SourceOffset(units: -1, per: 1) == nil)
        #expect(SourceOffset(units: .max, per: 1) == nil)
    }
}

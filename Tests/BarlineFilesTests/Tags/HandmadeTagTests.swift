import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Tags written byte by byte: what encoders write seldom, or wrongly, and what nobody means well by.
@Suite("Handmade tags", .timeLimit(.minutes(10)))
struct HandmadeTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tags(_ bytes: [UInt8]) throws -> AudioTags { try AudioTags(path: try folder.write("a", bytes)) }

    private static func syncSafe(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (7 * $0) & 0x7F) } }

    private static func id3(_ version: UInt8, _ frames: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + syncSafe(frames.count) + frames
    }

    private static func frame(_ name: String, _ content: [UInt8], size: [UInt8]? = nil, flags: UInt8 = 0) -> [UInt8] {
        Array(name.utf8) + (size ?? Bytes.big(content.count, 4)) + [0, flags] + content
    }

    private static let audio: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 500)

    @Test("ID3v2.2 and a picture of it")
    func oldest() throws {
        let picture: [UInt8] = [0x89] + Array("PNG....".utf8)
        let cover = [0] + Array("PNG".utf8) + [3] + Array("text".utf8) + [0] + picture
        let title = [0] + Array("Old".utf8) + [0]
        let frames =
            Array("TT2".utf8) + Bytes.big(title.count, 3) + title + Array("PIC".utf8) + Bytes.big(cover.count, 3)
            + cover
        let path = try folder.write("a", HandmadeTagTests.id3(2, frames) + HandmadeTagTests.audio)
        #expect(try AudioTags(path: path).title == "Old")
        #expect(try CoverArt.read(path: path)?.bytes == picture)
    }

    @Test("Version 2.4 with sizes of eight bits a byte, as some wrote it, and of seven")
    func sizes() throws {
        let text = [3] + [UInt8](repeating: 0x61, count: 300)
        for size in [Bytes.big(301, 4), HandmadeTagTests.syncSafe(301)] {
            let frames = HandmadeTagTests.frame("TIT2", text, size: size) + HandmadeTagTests.frame("TALB", [3, 0x62])
            let found = try tags(HandmadeTagTests.id3(4, frames) + HandmadeTagTests.audio)
            #expect(found.title?.count == 300 && found.album == "b")
        }
    }

    @Test("Unsynchronised tags, extended headers, UTF-16 without a mark, several values")
    func odd() throws {
        let wide: [UInt8] = [1, 0xFF, 0xFE, 0xFF, 0, 0x62, 0]
        let unsynchronized: [UInt8] = [1, 0xFF, 0, 0xFE, 0xFF, 0, 0, 0x62, 0]
        let frame = Array("TIT2".utf8) + Bytes.big(wide.count, 4) + [0, 0] + unsynchronized
        #expect(try tags(HandmadeTagTests.id3(3, frame, flags: 0x80) + HandmadeTagTests.audio).title == "ÿb")
        let extended = HandmadeTagTests.syncSafe(6) + [1, 0]
        let several = HandmadeTagTests.frame("TPE1", [2, 0, 0x61, 0, 0, 0, 0x62])
        let gain = HandmadeTagTests.frame("TXXX", [0] + Array("replaygain_track_gain\u{0}-1.5 dB".utf8))
        let found = try tags(HandmadeTagTests.id3(4, extended + several + gain, flags: 0x40) + HandmadeTagTests.audio)
        #expect(found.artist == "a; b" && found.loudness.trackGain == -1.5)
    }

    @Test("An APE tag at the end, before an ID3v1 tag, fills in what ID3v2 leaves out")
    func ape() throws {
        func item(_ key: String, _ value: String) -> [UInt8] {
            Bytes.little(value.utf8.count, 4) + Bytes.little(0, 4) + Array(key.utf8) + [0] + Array(value.utf8)
        }
        let items = item("Title", "Other") + item("REPLAYGAIN_TRACK_GAIN", "+2.00 dB") + item("Album", "Ape")
        let footer =
            Array("APETAGEX".utf8) + Bytes.little(2000, 4) + Bytes.little(items.count + 32, 4) + Bytes.little(3, 4)
            + Bytes.little(0, 12)
        var old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        old.replaceSubrange(33..<36, with: Array("Old".utf8))
        let start = HandmadeTagTests.id3(3, HandmadeTagTests.frame("TIT2", [0] + Array("First".utf8)))
        let found = try tags(start + HandmadeTagTests.audio + items + footer + old)
        #expect(found.title == "First" && found.album == "Ape" && found.artist == "Old")
        #expect(found.loudness == LoudnessTags(trackGain: 2))
    }

    @Test("INFO chunks in the encoding of their time")
    func info() throws {
        var file = WaveFile([0, 0])
        file.trailer = Bytes.chunk(
            "LIST", Array("INFO".utf8) + Bytes.chunk("INAM", [0xDC, 0x62, 0x65, 0x72, 0]) + Bytes.chunk("ITRK", [0x35]))
        let found = try tags(file.bytes)
        #expect(found.title == "Über" && found.trackNumber == 5)
    }

    @Test("Numbers that are none, and gains that no file can have, are passed over")
    func numbers() {
        var tags = LoudnessTags()
        for value in ["", "loud", "nan", "inf", "1e9 dB", "-200 dB"] {
            tags.take(key: "REPLAYGAIN_TRACK_GAIN", value: value)
            tags.take(key: "REPLAYGAIN_TRACK_PEAK", value: value)
            tags.take(key: "R128_TRACK_GAIN", value: value)
        }
        tags.take(key: "REPLAYGAIN_ALBUM_PEAK", value: "0")
        tags.take(key: "R128_ALBUM_GAIN", value: "40000")
        #expect(tags.isEmpty)
    }

    @Test("Lengths that lie, cut files and changed bytes: nothing is found, or something, and it ends")
    func damage() throws {
        let huge = Bytes.big(0xFFFF_FFFF, 4)
        let comments = Bytes.little(0, 4) + Bytes.little(0xFFFF_FFFF, 4) + Bytes.little(0xFFFF_FFFF, 4)
        let flac = Array("fLaC".utf8) + [0x84, 0, 0, 12] + comments
        let picture =
            Array("fLaC".utf8) + [0x86, 0, 0, 32] + Bytes.big(3, 4) + huge + [UInt8](repeating: 0xFF, count: 24)
        for bytes in [flac, picture, Array("fLaC".utf8) + [UInt8](repeating: 0, count: 4_000_000)] {
            #expect(try tags(bytes) == AudioTags())
            #expect(try CoverArt.read(path: folder.path("a")) == nil)
        }
        var random = TestRandom(seed: 11)
        let (wave, _) = try OtherFormatTests.tones(folder, rate: 48_000, frames: 4800)
        #expect(try Program.run("opusenc", ["--quiet", "--title", "T", wave, folder.path("o")]).status == 0)
        #expect(try Program.run("lame", ["--quiet", "--tt", "T", "--add-id3v2", wave, folder.path("l")]).status == 0)
        let whole = Bytes.chunk("id3 ", HandmadeTagTests.id3(4, HandmadeTagTests.frame("TIT2", [3, 0x61])))
        let seeds = try [folder.bytes("o"), folder.bytes("l"), WaveFile.riff(whole), flac]
        for round in 0..<2000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<min(bytes.count, 400), using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.write("b", Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random))))
            _ = try AudioTags(path: path)
            _ = try CoverArt.read(path: path)
        }
    }
}

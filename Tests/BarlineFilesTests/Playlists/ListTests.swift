import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// M3U, PLS and XSPF, as other programs write them.
@Suite("Reading playlists")
struct ListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ name: String, _ text: String) throws -> PlaylistFile {
        try PlaylistFile(path: try folder.write(name, text))
    }

    @Test("A line that is no UTF-8 leaves the others what they are")
    func mixedEncodings() {
        let bytes = Array("Café.wav\n".utf8) + [0x43, 0x61, 0x66, 0xE9, 0x0A] + Array("こんにちは.wav".utf8)
        #expect(TextEncoding.decode(bytes) == "Café.wav\nCafé\nこんにちは.wav")
    }

    @Test("An M3U list: relative, absolute and remote, described and not")
    func m3u() throws {
        let list = try read(
            "a.m3u",
            """
            #EXTM3U
            #PLAYLIST:Evening
            #EXTINF:215,Aphex Twin - Ageispolis - Live
            music/ageispolis.flac

            # a remark
            #EXTINF:-1 tvg-name="One, two" group="x",Radio
            https://radio.example/stream?x=1#y
            #EXTINF:12.5,
            /absolute/../absolute/./b c.wav
            100%25 sure.mp3
            file:///home/me/100%25%20s%C3%BCre.mp3
            file://localhost/x.wav
            file://elsewhere/x.wav
            """)
        #expect(list.title == "Evening")
        #expect(
            list.entries.map(\.location) == [
                folder.path("music/ageispolis.flac"), "https://radio.example/stream?x=1#y", "/absolute/b c.wav",
                folder.path("100%25 sure.mp3"), "/home/me/100% süre.mp3", "/x.wav", "//elsewhere/x.wav",
            ])
        #expect(list.entries.map(\.isRemote) == [false, true, false, false, false, false, false])
        #expect(list.entries.map(\.artist) == ["Aphex Twin", nil, nil, nil, nil, nil, nil])
        #expect(list.entries.map(\.title) == ["Ageispolis - Live", "Radio", nil, nil, nil, nil, nil])
        #expect(list.entries.map(\.duration) == [215, nil, 12.5, nil, nil, nil, nil])
    }

    @Test(
        "The encoding follows from the bytes, and line ends are those of any system",
        arguments: ListTests.encodedLists)
    func encodings(bytes: [UInt8]) throws {
        let entry = try #require(try PlaylistFile(path: try folder.write("a.m3u", bytes)).entries.first)
        #expect(entry.location == folder.path("ü.wav"))
        #expect(entry.artist == "Ä" && entry.title == "Ö")
    }

    private static let encodedLists: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF] + Array("#EXTM3U\r\n#EXTINF:1,Ä - Ö\r\nü.wav\r\n".utf8),
        Array("#EXTM3U\r#EXTINF:1,Ä - Ö\rü.wav".utf8), Array("#EXTINF:1,\u{C4} - \u{D6}\n\u{FC}.wav\n".utf8),
        "#EXTINF:1,Ä - Ö\nü.wav\n".unicodeScalars.map { UInt8($0.value) },
        [0xFF, 0xFE] + "#EXTINF:1,Ä - Ö\r\nü.wav\r\n".utf16.map { Int($0) }.flatMap { Bytes.little($0, 2) },
    ]

    @Test("Backslashes part folders where no file has one in its name")
    func backslashes() throws {
        try folder.write("a\\b.wav", [0])
        let list = try read("a.m3u", "music\\old\\x.wav\na\\b.wav\n")
        #expect(list.entries.map(\.location) == [folder.path("music/old/x.wav"), folder.path("a\\b.wav")])
    }

    @Test("A PLS list is in the order of its numbers")
    func pls() throws {
        let list = try read(
            "a.pls",
            """
            [playlist]
            NumberOfEntries=9
            file10=ten.wav
            Length10=-1
            Title10=Ten = 10
            FILE2 = http://radio.example:8000/
            Title2=Radio
            Length2=61
            Title3=No file
            Version=2
            [other]
            File1=x.wav
            """)
        #expect(list.entries.map(\.location) == ["http://radio.example:8000/", folder.path("ten.wav")])
        #expect(list.entries.map(\.title) == ["Radio", "Ten = 10"])
        #expect(list.entries.map(\.duration) == [61, nil])
    }

    @Test("An XSPF list: URIs, metadata, CDATA, VLC's start and stop times")
    func xspf() throws {
        let list = try read(
            "a.xspf",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <x:playlist version="1" xmlns:x="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">
              <x:title>A &amp; B</x:title>
              <x:trackList>
                <x:track>
                  <x:location>file:///music/a%20b%23.flac</x:location><x:location>second.flac</x:location>
                  <x:title><![CDATA[<1>]]></x:title><x:creator>Someone</x:creator><x:album>Album</x:album>
                  <x:trackNum>3</x:trackNum><x:duration>215250</x:duration>
                  <x:extension application="http://www.videolan.org/vlc/playlist/0">
                    <vlc:option>start-time=1.5</vlc:option><vlc:option>stop-time=20</vlc:option>
                  </x:extension>
                </x:track>
                <x:track><x:title>Nowhere</x:title></x:track>
                <x:track><x:location>sub/c%20d.ogg</x:location></x:track>
                <x:track><x:location>https://radio.example/a%20b</x:location></x:track>
              </x:trackList>
            </x:playlist>
            """)
        #expect(list.title == "A & B")
        #expect(
            list.entries.map(\.location) == [
                "/music/a b#.flac", folder.path("sub/c d.ogg"), "https://radio.example/a%20b",
            ])
        let first = try #require(list.entries.first)
        #expect(first.title == "<1>" && first.artist == "Someone" && first.album == "Album")
        #expect(first.trackNumber == 3 && first.duration == 215.25)
        #expect(first.start == SourceOffset(units: 3, per: 2) && first.end == SourceOffset(units: 20, per: 1))
    }

    @Test("Lists in lists are read in their place, each relative to itself")
    func nested() throws {
        try folder.folder("sub")
        try folder.write("sub/inner.m3u", "x.wav\n../b.cue\n")
        try folder.write("b.cue", "FILE \"b.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
        let list = try read("outer.pls", "[playlist]\nFile1=a.wav\nFile2=sub/inner.m3u\nFile3=c.wav\n")
        #expect(
            list.entries.map(\.location) == ["a.wav", "sub/x.wav", "b.flac", "c.wav"].map { folder.path($0) })
    }

    @Test("What has no ending is known by its contents")
    func contents() throws {
        #expect(try read("a", "#EXTM3U\nx.wav\n").entries.count == 1)
        #expect(try read("b", "[playlist]\nFile1=x.wav\n").entries.count == 1)
        let xml = "<playlist><trackList><track><location>x.wav</location></track></trackList></playlist>"
        #expect(try read("c", xml).entries.count == 1)
    }
}

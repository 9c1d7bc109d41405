import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Tags and pictures, as the encoders themselves write them.
@Suite("Tags and cover art")
struct TagTests {
    private let folder: TemporaryFolder
    private let wave: String
    private let picture: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        (wave, _) = try OtherFormatTests.tones(folder, rate: 48_000, frames: 9600)
        let drawn = try Program.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", folder.path("c.png")])
        #expect(drawn.status == 0, "\(drawn.errors)")
        picture = try folder.bytes("c.png")
    }

    private func run(_ command: [String]) throws {
        let names = ["IN": wave, "COVER": folder.path("c.png")]
        let arguments = command.dropFirst().map { names[$0] ?? ($0.hasPrefix("OUT.") ? folder.path($0) : $0) }
        let outcome = try Program.run(command[0], Array(arguments))
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func check(_ name: String, hasCover: Bool = true) throws {
        let tags = try AudioTags(path: folder.path(name))
        #expect(tags.title == "Tïtle" && tags.artist == "Ärtist" && tags.album == "Album", "\(tags)")
        #expect(tags.trackNumber == 7)
        #expect(try CoverArt.read(path: folder.path(name))?.bytes == (hasCover ? picture : nil))
        if hasCover { #expect(try CoverArt.read(path: folder.path(name))?.mimeType == "image/png") }
    }

    @Test("FLAC, with its picture block")
    func flac() throws {
        try run([
            "flac", "-s", "IN", "-o", "OUT.flac", "-T", "title=Tïtle", "-T", "ARTIST=Ärtist", "-T", "Album=Album", "-T",
            "tracknumber=7", "-T", "replaygain_track_gain=-3.21 dB", "-T", "REPLAYGAIN_TRACK_PEAK=0.98765432",
            "--picture", "COVER",
        ])
        try check("OUT.flac")
        let loudness = try AudioTags(path: folder.path("OUT.flac")).loudness
        #expect(loudness == LoudnessTags(trackGain: -3.21, trackPeak: 0.987_654_32))
        #expect(try CoverArt.read(path: folder.path("OUT.flac"))?.isFrontCover == true)
    }

    @Test("Opus, with a picture in a comment")
    func opus() throws {
        try run([
            "opusenc", "--quiet", "--title", "Tïtle", "--artist", "Ärtist", "--album", "Album", "--tracknumber", "7",
            "--picture", "COVER", "--comment", "R128_TRACK_GAIN=-512", "--comment", "r128_album_gain=256", "--comment",
            "REPLAYGAIN_TRACK_GAIN=9 dB", "IN", "OUT.opus",
        ])
        try check("OUT.opus")
        let loudness = try AudioTags(path: folder.path("OUT.opus")).loudness
        #expect(loudness == LoudnessTags(trackGain: -512 / 256 + 5, albumGain: 1 + 5))
    }

    @Test("Ogg Vorbis; R128 gains in it mean nothing")
    func vorbis() throws {
        try run([
            "oggenc", "-Q", "-t", "Tïtle", "-a", "Ärtist", "-l", "Album", "-N", "7", "-c", "R128_TRACK_GAIN=-512", "-c",
            "REPLAYGAIN_ALBUM_GAIN=+1,5 dB", "IN", "-o", "OUT.ogg",
        ])
        try check("OUT.ogg", hasCover: false)
        #expect(try AudioTags(path: folder.path("OUT.ogg")).loudness == LoudnessTags(albumGain: 1.5))
    }

    @Test("Ogg FLAC")
    func oggFLAC() throws {
        try run([
            "flac", "-s", "--ogg", "IN", "-o", "OUT.oga", "-T", "title=Tïtle", "-T", "ARTIST=Ärtist", "-T",
            "Album=Album", "-T", "tracknumber=7", "--picture", "COVER",
        ])
        try check("OUT.oga")
    }

    @Test("MP3 with ID3v2, in Latin-1 and in UTF-16, and with ID3v1 alone", arguments: ["2", "u", "1"])
    func mp3(kind: String) throws {
        let version = ["2": ["--id3v2-only"], "u": ["--id3v2-utf16"], "1": ["--id3v1-only"]][kind] ?? []
        let cover = kind == "1" ? [] : ["--ti", "COVER"]
        try run(
            ["lame", "--quiet"] + version + cover
                + ["--tt", "Tïtle", "--ta", "Ärtist", "--tl", "Album", "--tn", "7/12", "IN", "OUT.mp3"])
        if kind == "1" { return try #expect(AudioTags(path: folder.path("OUT.mp3")).trackNumber == 7) }
        try check("OUT.mp3")
    }

    @Test(
        "What ffmpeg writes",
        arguments: [
            ("OUT.m4a", ["-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic"]), ("OUT.mka", []),
            ("OUT.wav", []), ("OUT.aiff", ["-write_id3v2", "1"]), ("OUT.wv", []), ("OUT.mp3", []),
            ("OUT.mp3", ["-id3v2_version", "3"]),
        ])
    func ffmpeg(name: String, options: [String]) throws {
        let hasCover = name == "OUT.m4a"
        var words = ["ffmpeg", "-v", "error", "-i", "IN"]
        if hasCover { words += ["-i", "COVER"] }
        words += [
            "-metadata", "title=Tïtle", "-metadata", "artist=Ärtist", "-metadata", "album=Album", "-metadata",
            "track=7/9", "-metadata", "REPLAYGAIN_TRACK_GAIN=-4.5 dB",
        ]
        if hasCover { words += ["-map", "0:a", "-map", "1:v"] }
        try run(words + options + ["OUT." + name.dropFirst(4)])
        try check(name, hasCover: hasCover)
        let gain = try AudioTags(path: folder.path(name)).loudness.trackGain
        // What has no field for it, ffmpeg leaves out.
        #expect(gain == (["OUT.wav", "OUT.m4a"].contains(name) ? nil : -4.5))
    }

    @Test("A file without tags has none, and what is no file is an error")
    func none() throws {
        #expect(try AudioTags(path: wave) == AudioTags())
        #expect(try CoverArt.read(path: wave) == nil)
        #expect(throws: AudioFileError.notAFile(path: folder.path, kind: "a folder")) {
            try AudioTags(path: folder.path)
        }
    }
}

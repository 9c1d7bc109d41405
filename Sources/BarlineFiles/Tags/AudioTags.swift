import Foundation

/// What a file says of the music in it.
public struct AudioTags: Hashable, Sendable {
    /// The title.
    public var title: String?
    /// Who plays it; several are separated by "; ".
    public var artist: String?
    /// What it is from.
    public var album: String?
    /// Whose album it is, where that is not ``artist``.
    public var albumArtist: String?
    /// Its number on the album.
    public var trackNumber: Int?
    /// The number of the disc.
    public var discNumber: Int?
    /// When it came out, as the file has it: a year or a date.
    public var date: String?
    /// The genre, as the file has it.
    public var genre: String?
    /// Gains and peaks.
    public var loudness = LoudnessTags()

    /// Nothing is known.
    public init() {}

    /// Reads a file's tags. A file without any, and one whose tags are broken, has none.
    ///
    /// Vorbis comments (FLAC, Ogg), ID3v1 and ID3v2 (MP3, WAV, AIFF), APEv2 (WavPack, MP3), `INFO` chunks (WAV), and
    /// what libav finds in MP4 and Matroska.
    ///
    /// - Throws: ``AudioFileError`` where the path leads to no file that can be read.
    public init(path: String) throws(AudioFileError) {
        self = try TagReader.read(path: path, wantsPictures: false).tags
    }

    /// What identifies the album; `nil` where the file names none.
    var albumIdentity: [String]? {
        album.map { [$0.lowercased(), (albumArtist ?? "").lowercased()] }
    }

    /// These tags, and where they know nothing, what `other` knows.
    func completed(from other: AudioTags) -> AudioTags {
        var tags = self
        tags.title = title ?? other.title
        tags.artist = artist ?? other.artist
        tags.album = album ?? other.album
        tags.albumArtist = albumArtist ?? other.albumArtist
        tags.trackNumber = trackNumber ?? other.trackNumber
        tags.discNumber = discNumber ?? other.discNumber
        tags.date = date ?? other.date
        tags.genre = genre ?? other.genre
        tags.loudness = loudness.completed(from: other.loudness)
        return tags
    }
}

import Foundation

/// The tags of a file.
public struct AudioTags: Hashable, Sendable {
    /// The title.
    public var title: String?
    /// The artists, separated by "; ".
    public var artist: String?
    /// The album.
    public var album: String?
    /// The artist of the album, if different from ``artist``.
    public var albumArtist: String?
    /// The track number on the album.
    public var trackNumber: Int?
    /// The disc number.
    public var discNumber: Int?
    /// The release date, as in the file: a year or a date.
    public var date: String?
    /// The genre, as in the file.
    public var genre: String?
    /// The gains and peaks.
    public var loudness = LoudnessTags()

    /// Creates empty tags.
    public init() {}

    /// Reads a file's tags, which are empty if it has none, or broken ones.
    ///
    /// Vorbis comments (FLAC, Ogg), ID3v1 and ID3v2 (MP3, WAV, AIFF), APEv2 (WavPack, MP3), `INFO` chunks (WAV), and
    /// what libav finds in MP4 and Matroska.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read.
    /// - Complexity: O(*n*) in the bytes of the tags.
    public init(path: String) throws(AudioFileError) {
        self = try TagReader.read(path: path, wantsPictures: false).tags
    }

    /// What identifies the album; `nil` where the file names none.
    package var albumIdentity: [String]? {
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

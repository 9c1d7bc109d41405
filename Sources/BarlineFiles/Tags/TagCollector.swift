import Foundation

/// Gathers what one kind of tag in a file says.
struct TagCollector {
    private(set) var tags = AudioTags()
    private(set) var pictures: [CoverArt] = []
    let wantsPictures: Bool

    /// No name of anything is longer.
    private static let longestValue = 4096

    init(wantsPictures: Bool) { self.wantsPictures = wantsPictures }

    /// Takes a field, named as Vorbis comments, APEv2 or libav name it, in whatever case.
    mutating func take(key: String, value: String) {
        let value = value.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
        guard !value.isEmpty, value.utf8.count <= TagCollector.longestValue else { return }
        switch key.uppercased() {
        case "TITLE": tags.title = tags.title ?? value
        case "ARTIST": tags.artist = tags.artist.map { $0 == value ? $0 : $0 + "; " + value } ?? value
        case "ALBUM": tags.album = tags.album ?? value
        case "ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST": tags.albumArtist = tags.albumArtist ?? value
        case "TRACKNUMBER", "TRACK": tags.trackNumber = tags.trackNumber ?? TagCollector.number(value)
        case "DISCNUMBER", "DISC": tags.discNumber = tags.discNumber ?? TagCollector.number(value)
        case "DATE", "YEAR": tags.date = tags.date ?? value
        case "GENRE": tags.genre = tags.genre ?? value
        default: tags.loudness.take(key: key, value: value)
        }
    }

    /// Takes a picture, where pictures are wanted.
    mutating func take(picture: @autoclosure () -> CoverArt?) {
        if wantsPictures, pictures.count < 64, let picture = picture() { pictures.append(picture) }
    }

    /// Takes what another kind of tag says where this one says nothing.
    mutating func complete(from other: TagCollector) {
        tags = tags.completed(from: other.tags)
        pictures += other.pictures
    }

    /// The number in `3` or `3/12`.
    private static func number(_ text: String) -> Int? {
        Int(text.prefix(while: \.isASCIIDigit)).flatMap { $0 > 0 ? $0 : nil }
    }
}

import Foundation

/// A picture embedded in a file.
public struct CoverArt: Hashable, Sendable {
    /// The encoded picture.
    public let bytes: [UInt8]
    /// The MIME type according to its first bytes, else according to the file.
    public let mimeType: String
    /// Whether it is marked as the front cover.
    public let isFrontCover: Bool

    /// A larger picture is none of a cover.
    static let limit = 32 << 20
    /// The number of the front cover among the kinds of pictures that ID3 and FLAC know.
    static let frontCoverKind = 3

    init?(bytes: some Collection<UInt8>, mimeType: String, kind: Int) {
        guard !bytes.isEmpty, bytes.count <= CoverArt.limit else { return nil }
        self.bytes = Array(bytes)
        self.mimeType =
            PictureType(self.bytes)?.rawValue ?? (mimeType.contains("/") ? mimeType.lowercased() : "image/*")
        isFrontCover = kind == CoverArt.frontCoverKind
    }

    /// The kind of picture that the first bytes say it is: JPEG, PNG, GIF or WebP; `nil` for all else, whatever the
    /// file calls it. Only such pictures are handed on to other programs.
    package var recognizedType: PictureType? { PictureType(bytes) }

    /// Reads the front cover of a file, or its first picture if none is marked as such; `nil` if there is none.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read.
    /// - Complexity: O(*n*) in the bytes of the tags.
    public static func read(path: String) throws(AudioFileError) -> CoverArt? {
        let pictures = try TagReader.read(path: path, wantsPictures: true).pictures
        return pictures.first(where: \.isFrontCover) ?? pictures.first
    }
}

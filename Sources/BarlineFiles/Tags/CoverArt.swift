import Foundation

/// A picture that a file brings along.
public struct CoverArt: Hashable, Sendable {
    /// The picture, encoded as it is in the file.
    public let bytes: [UInt8]
    /// `image/jpeg`, `image/png`, …: what the first bytes say it is, else what the file says.
    public let mimeType: String
    /// Whether it is said to be the front cover.
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

    /// The front cover in a file, or where none is said to be it, the first picture; `nil` where there is none.
    ///
    /// - Throws: ``AudioFileError`` where the path leads to no file that can be read.
    public static func read(path: String) throws(AudioFileError) -> CoverArt? {
        let pictures = try TagReader.read(path: path, wantsPictures: true).pictures
        return pictures.first(where: \.isFrontCover) ?? pictures.first
    }
}

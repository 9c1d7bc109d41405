/// A kind of picture, recognised by its first bytes and not by what a file calls it. The value is its MIME type.
package enum PictureType: String, Hashable, Sendable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"
    /// GIF.
    case gif = "image/gif"
    /// WebP.
    case webP = "image/webp"

    /// What the first bytes say; `nil` where they are those of no picture that is known here.
    init?(_ bytes: [UInt8]) {
        func begins(with text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89] + Array("PNG\r\n\u{1A}\n".utf8)) {
            self = .png
        } else if begins(with: "GIF87a") || begins(with: "GIF89a") {
            self = .gif
        } else if begins(with: "RIFF"), begins(with: "WEBP", at: 8) {
            self = .webP
        } else {
            return nil
        }
    }

    /// The ending of a file's name.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webP: "webp"
        }
    }
}

import Foundation

/// Vorbis comments: `KEY=value` in UTF-8, in FLAC and Ogg files; and the pictures that go with them.
enum VorbisComments {
    private static let mostComments = 10_000

    /// Takes what a comment block says; `isOpus` where `R128_…` gains are to be trusted more than ReplayGain's.
    static func collect(_ bytes: some Collection<UInt8>, isOpus: Bool, into collector: inout TagCollector) {
        var cursor = ByteCursor(bytes)
        guard let vendor = cursor.takeLittleEndian(), cursor.take(vendor) != nil,
            let count = cursor.takeLittleEndian()
        else { return }
        var late: [(String, String)] = []
        for _ in 0..<min(count, mostComments) {
            guard let length = cursor.takeLittleEndian(), let comment = cursor.take(length) else { break }
            guard let equals = comment.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: comment[..<equals], as: UTF8.self).uppercased()
            let value = comment[(equals + 1)...]
            if key == "METADATA_BLOCK_PICTURE" {
                collector.take(picture: picture(base64: value))
            } else if key.hasPrefix("R128_") {
                if isOpus { late.append((key, String(decoding: value, as: UTF8.self))) }
            } else {
                collector.take(key: key, value: String(decoding: value, as: UTF8.self))
            }
        }
        for (key, value) in late { collector.take(key: key, value: value) }
    }

    private static func picture(base64 text: ArraySlice<UInt8>) -> CoverArt? {
        guard text.count <= CoverArt.limit / 3 * 4 else { return nil }
        return Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters).flatMap { picture($0) }
    }

    /// A FLAC picture block.
    static func picture(_ bytes: some Collection<UInt8>) -> CoverArt? {
        var cursor = ByteCursor(bytes)
        guard let kind = cursor.takeBigEndian(), let typeLength = cursor.takeBigEndian(),
            let type = cursor.take(typeLength), let textLength = cursor.takeBigEndian(), cursor.take(textLength) != nil,
            cursor.take(16) != nil, let length = cursor.takeBigEndian(), let picture = cursor.take(length)
        else { return nil }
        let mimeType = String(decoding: type, as: UTF8.self)
        // An arrow stands for a picture elsewhere, which is not fetched.
        return mimeType == "-->" ? nil : CoverArt(bytes: picture, mimeType: mimeType, kind: kind)
    }
}

/// The metadata blocks of a FLAC stream.
enum FLACTags {
    private static let commentKind: UInt8 = 4
    private static let pictureKind: UInt8 = 6
    static let mostBlocks = 1000

    /// Takes what the blocks from `offset` on say.
    static func collect(_ file: FileBytes, at offset: Int, into collector: inout TagCollector) {
        var offset = offset
        for _ in 0..<mostBlocks {
            guard let head = file.bytes(at: offset, 4) else { return }
            let length = head[1...].bigEndian
            let kind = head[0] & 0x7F
            if kind == commentKind || kind == pictureKind && collector.wantsPictures {
                guard let body = file.bytes(at: offset + 4, length) else { return }
                take(kind, body, into: &collector)
            }
            if head[0] & 0x80 != 0 { return }
            offset += 4 + length
        }
    }

    /// Takes a block with its head, as Ogg has them; whether it is the last one.
    static func collect(block: [UInt8], into collector: inout TagCollector) -> Bool {
        guard block.count >= 4 else { return true }
        take(block[0] & 0x7F, Array(block[4...]), into: &collector)
        return block[0] & 0x80 != 0
    }

    private static func take(_ kind: UInt8, _ body: [UInt8], into collector: inout TagCollector) {
        if kind == commentKind { VorbisComments.collect(body, isOpus: false, into: &collector) }
        if kind == pictureKind { collector.take(picture: VorbisComments.picture(body)) }
    }
}

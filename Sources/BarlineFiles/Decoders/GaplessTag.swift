import Foundation

/// The delay, length and tempo in the ID3v2 tag at the start of a file.
///
/// The comment `iTunSMPB` holds hexadecimal numbers: the encoder's delay in frames is the second, the padding the
/// third, the length the fourth. A decoder adds 529 frames of its own delay.
struct GaplessTag {
    /// Decoded frames before the first of the original.
    let start: Int64
    /// Frames of the original; 0 where the tag does not say.
    let frames: Int64
    /// The tempo in BPM (`TBPM`).
    let tempo: Double?

    static let decoderDelay: Int64 = 529
    /// No number of frames is as large.
    static let longest: Int64 = 1 << 40
    /// No program writes a tag larger than this, cover art included.
    private static let limit = 64 << 20

    /// Reads the tag of an open file; `nil` where there is none.
    init?(descriptor: Int32) {
        guard let head = GaplessTag.bytes(descriptor, at: 0, count: 10), head.starts(with: Array("ID3".utf8)) else {
            return nil
        }
        let size = GaplessTag.syncSafe(head[6..<10])
        guard size > 0, size < GaplessTag.limit, size < Int(lseek(descriptor, 0, SEEK_END)),
            let body = GaplessTag.bytes(descriptor, at: 10, count: size)
        else {
            return nil
        }
        var delay: Int64 = 0
        var length: Int64 = 0
        var tempo: Double?
        var offset = 0
        while offset + 10 <= body.count, body[offset] != 0 {
            let name = String(decoding: body[offset..<offset + 4], as: UTF8.self)
            let digits = body[offset + 4..<offset + 8]
            // Version 2.4 has seven bits a byte, 2.3 eight.
            let count = head[3] >= 4 ? GaplessTag.syncSafe(digits) : digits.reduce(0) { $0 << 8 | Int($1) }
            guard count > 0, offset + 10 + count <= body.count else { break }
            let text = GaplessTag.text(body[offset + 10..<offset + 10 + count])
            if name == "COMM" || name == "TXXX", let range = text.range(of: "iTunSMPB") {
                let numbers = text[range.upperBound...].split { !$0.isHexDigit }.compactMap { Int64($0, radix: 16) }
                if numbers.count >= 4, numbers.allSatisfy({ $0 < GaplessTag.longest }) {
                    (delay, length) = (numbers[1], numbers[3])
                }
            }
            if name == "TBPM", let value = Double(text.filter { $0.isNumber || $0 == "." }), value > 0 { tempo = value }
            offset += 10 + count
        }
        start = delay + GaplessTag.decoderDelay
        frames = length
        self.tempo = tempo
    }

    /// The first bytes behind a tag; `nil` where there is no tag, or no more behind it.
    static func head(behindTagOf descriptor: Int32, count: Int) -> [UInt8]? {
        guard let head = bytes(descriptor, at: 0, count: 10), head.starts(with: Array("ID3".utf8)) else { return nil }
        return bytes(descriptor, at: Int64(10 + syncSafe(head[6..<10])), count: count)
    }

    /// The first bytes of what a tag may be before; `nil` where there are fewer.
    static func beginning(_ descriptor: Int32, count: Int) -> [UInt8]? {
        head(behindTagOf: descriptor, count: count) ?? bytes(descriptor, at: 0, count: count)
    }

    private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }

    /// A frame's text; of UTF-16 every other byte, which is enough for digits.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
    }

    private static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &buffer, count, off_t(offset)) == count ? buffer : nil
    }
}

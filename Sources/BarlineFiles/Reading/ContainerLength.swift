import Foundation

/// How many bytes of audio a file's header promises, for the formats whose decoder plays a cut file without a word.
enum ContainerLength {
    /// Bytes missing at the end of a WAV or AIFF file, or 0. Other formats, and files written as a stream, which
    /// give no length, are taken as whole.
    static func missingBytes(descriptor: Int32, size: Int64) -> Int64 {
        guard let head = bytes(descriptor, at: 0, count: 12) else { return 0 }
        let form = String(decoding: head[0..<4], as: UTF8.self)
        switch form {
        case "RIFF": return missing(descriptor, size: size, dataChunk: "data", isBigEndian: false)
        case "FORM": return missing(descriptor, size: size, dataChunk: "SSND", isBigEndian: true)
        case "OggS": return endsOggStream(descriptor, size: size) ? 0 : 1
        default: return 0
        }
    }

    /// A file with more chunks than this before its audio is none that a program wrote.
    private static let chunkLimit = 10_000

    private static func missing(_ descriptor: Int32, size: Int64, dataChunk: String, isBigEndian: Bool) -> Int64 {
        var offset: Int64 = 12
        var chunks = 0
        while chunks < chunkLimit, let header = bytes(descriptor, at: offset, count: 8) {
            let name = String(decoding: header[0..<4], as: UTF8.self)
            let digits = isBigEndian ? Array(header[4..<8]) : header[4..<8].reversed()
            let length = digits.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if name == dataChunk {
                // Writers of streams leave 0 or the largest number there is.
                if length == 0 || length >= 0x7FFF_F000 { return 0 }
                return max(0, offset + 8 + length - size)
            }
            offset += 8 + length + (length & 1)
            chunks += 1
        }
        return 0
    }

    /// Whether the last page of an Ogg file carries the mark of the stream's end.
    private static func endsOggStream(_ descriptor: Int32, size: Int64) -> Bool {
        let count = Int(min(size, 131_072))
        guard let tail = bytes(descriptor, at: size - Int64(count), count: count) else { return false }
        let capture = Array("OggS".utf8)
        var index = tail.count - 6
        while index >= 0 {
            if tail[index] == capture[0], Array(tail[index..<index + 4]) == capture {
                return tail[index + 5] & 4 != 0
            }
            index -= 1
        }
        return false
    }

    private static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &buffer, count, off_t(offset)) == count ? buffer : nil
    }
}

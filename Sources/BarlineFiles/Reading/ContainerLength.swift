import Foundation

/// The number of bytes of audio that a file's header promises, for the formats whose decoder plays a truncated file
/// without an error.
enum ContainerLength {
    /// Frames missing at the end of a WAV or AIFF file, a part of one as a whole one, or 0; 1 of an Ogg file that was cut
    /// off. Other formats, and files written as a stream, which give no length, are taken as whole.
    static func missingFrames(descriptor: Int32, size: Int64) -> Int64 {
        guard let head = bytes(descriptor, at: 0, count: 12) else { return 0 }
        let form = String(decoding: head[0..<4], as: UTF8.self)
        switch form {
        case "RIFF": return missing(descriptor, size: size, dataChunk: "data", isBigEndian: false)
        case "FORM": return missing(descriptor, size: size, dataChunk: "SSND", isBigEndian: true)
        case "OggS": return endsOggStream(descriptor, size: size) ? 0 : 1
        default: return 0
        }
    }

    private static func missing(_ descriptor: Int32, size: Int64, dataChunk: String, isBigEndian: Bool) -> Int64 {
        let chunks = ChunkHeaders(isBigEndian: isBigEndian) { bytes(descriptor, at: Int64($0), count: $1) }
        var frameBytes: Int64 = 1
        for chunk in chunks {
            switch chunk.name {
            case "fmt ":
                // The length of a block: of PCM, that of a frame.
                let block = bytes(descriptor, at: Int64(chunk.body) + 12, count: 2)
                frameBytes = Int64(block?[...].littleEndian ?? 1)
            case "COMM":
                guard let format = bytes(descriptor, at: Int64(chunk.body), count: 8) else { break }
                frameBytes = Int64(format[0..<2].bigEndian * ((format[6..<8].bigEndian + 7) / 8))
            case dataChunk:
                // Writers of streams leave 0 or the largest number there is.
                if chunk.length == 0 || chunk.length >= 0x7FFF_F000 { return 0 }
                let missing = max(0, Int64(chunk.body + chunk.length) - size)
                return (missing + max(1, frameBytes) - 1) / max(1, frameBytes)
            default: break
            }
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

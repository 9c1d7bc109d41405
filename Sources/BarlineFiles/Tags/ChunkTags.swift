import Foundation

/// What the chunks of WAV and AIFF files say: `INFO`, `NAME` and `AUTH`, and an ID3 tag in a chunk of its own.
enum ChunkTags {
    private static let mostChunks = 10_000
    private static let names = [
        "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACK", "IPRT": "TRACK", "ICRD": "DATE",
        "IGNR": "GENRE", "NAME": "TITLE", "AUTH": "ARTIST",
    ]

    static func collect(_ file: FileBytes, at start: Int, into collector: inout TagCollector) {
        let isBigEndian = file.has("FORM", at: start)
        var plain = TagCollector(wantsPictures: false)
        var offset = start + 12
        for _ in 0..<mostChunks {
            guard let head = file.bytes(at: offset, 8) else { break }
            let name = String(decoding: head[..<4], as: UTF8.self)
            let length = isBigEndian ? head[4...].bigEndian : head[4...].littleEndian
            switch name {
            case "id3 ", "ID3 ":
                if length <= TagReader.largestTag, let body = file.bytes(at: offset + 8, length) {
                    ID3Tag(chunk: body)?.collect(into: &collector)
                }
            case "LIST":
                if length <= 1 << 20, let body = file.bytes(at: offset + 8, length) { info(body, into: &plain) }
            case "NAME", "AUTH":
                if length <= 1 << 16, let body = file.bytes(at: offset + 8, length) {
                    take(name, body[...], into: &plain)
                }
            default: break
            }
            offset += 8 + length + length % 2
        }
        collector.complete(from: plain)
    }

    private static func info(_ list: [UInt8], into collector: inout TagCollector) {
        var cursor = ByteCursor(list)
        guard cursor.take(4) == Array("INFO".utf8)[...] else { return }
        while let name = cursor.take(4), let length = cursor.takeLittleEndian(), let value = cursor.take(length) {
            take(String(decoding: name, as: UTF8.self), value, into: &collector)
            if length % 2 == 1 { _ = cursor.take(1) }
        }
    }

    private static func take(_ name: String, _ value: ArraySlice<UInt8>, into collector: inout TagCollector) {
        guard let key = names[name] else { return }
        collector.take(key: key, value: PlaylistText.decode(Array(value.prefix { $0 != 0 })))
    }
}

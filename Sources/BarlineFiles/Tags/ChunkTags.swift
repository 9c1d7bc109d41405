import Foundation

/// The tags in the chunks of WAV and AIFF files: `INFO`, `NAME` and `AUTH`, and an ID3 tag in a chunk of its own.
enum ChunkTags {
    private static let names = [
        "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACK", "IPRT": "TRACK", "ICRD": "DATE",
        "IGNR": "GENRE", "NAME": "TITLE", "AUTH": "ARTIST",
    ]

    static func collect(_ file: FileBytes, at start: Int, into collector: inout TagCollector) {
        var plain = TagCollector(wantsPictures: false)
        let chunks = ChunkHeaders(at: start, isBigEndian: file.has("FORM", at: start)) { file.bytes(at: $0, $1) }
        for chunk in chunks {
            func body(upTo limit: Int) -> [UInt8]? {
                chunk.length <= limit ? file.bytes(at: chunk.body, chunk.length) : nil
            }
            switch chunk.name {
            case "id3 ", "ID3 ":
                if let body = body(upTo: TagReader.largestTag) { ID3Tag(chunk: body)?.collect(into: &collector) }
            case "LIST":
                if let body = body(upTo: 1 << 20) { info(body, into: &plain) }
            case "NAME", "AUTH":
                if let body = body(upTo: 1 << 16) { take(chunk.name, body[...], into: &plain) }
            default: break
            }
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
        collector.take(key: key, value: TextEncoding.decode(Array(value.prefix { $0 != 0 })))
    }
}

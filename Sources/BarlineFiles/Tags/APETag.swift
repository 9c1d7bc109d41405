import Foundation

/// An APEv2 tag at a file's end, before an ID3v1 tag where there is one: WavPack files have it, and MP3 files whose
/// gain was measured.
enum APETag {
    private static let mark = "APETAGEX"
    private static let mostItems = 10_000

    static func collect(_ file: FileBytes, into collector: inout TagCollector) {
        for footer in [file.size - 32, file.size - 128 - 32] where file.has(mark, at: footer) {
            guard let fields = file.bytes(at: footer, 32) else { return }
            // The size counts the items and the footer.
            let size = fields[12..<16].littleEndian
            guard size >= 32, size <= TagReader.largestTag, let items = file.bytes(at: footer + 32 - size, size - 32)
            else { return }
            collect(items, count: fields[16..<20].littleEndian, into: &collector)
            return
        }
    }

    private static func collect(_ items: [UInt8], count: Int, into collector: inout TagCollector) {
        var cursor = ByteCursor(items)
        for _ in 0..<min(count, mostItems) {
            guard let length = cursor.takeLittleEndian(), let flags = cursor.takeLittleEndian(),
                let name = cursor.takeThroughZero(), let value = cursor.take(length)
            else { return }
            let key = String(decoding: name, as: UTF8.self)
            // Bits 1 and 2 say what the value is: 0 text, 1 binary.
            if flags >> 1 & 3 == 0 {
                for text in value.split(separator: 0) {
                    collector.take(key: key, value: String(decoding: text, as: UTF8.self))
                }
            } else if flags >> 1 & 3 == 1, key.lowercased().hasPrefix("cover art") {
                var picture = ByteCursor(value)
                let isFront = key.lowercased().contains("front")
                guard picture.takeThroughZero() != nil else { continue }
                collector.take(
                    picture: CoverArt(
                        bytes: picture.rest, mimeType: "", kind: isFront ? CoverArt.frontCoverKind : 0))
            }
        }
    }
}

import Foundation

/// An ID3v2 tag (2.2, 2.3, 2.4), and the old ID3v1.
struct ID3Tag {
    /// Where the tag ends in the file.
    let end: Int

    private let version: UInt8
    private let body: [UInt8]

    private static let names = [
        "TIT2": "TITLE", "TPE1": "ARTIST", "TALB": "ALBUM", "TPE2": "ALBUMARTIST", "TRCK": "TRACK", "TPOS": "DISC",
        "TDRC": "DATE", "TYER": "DATE", "TCON": "GENRE", "TT2": "TITLE", "TP1": "ARTIST", "TAL": "ALBUM",
        "TP2": "ALBUMARTIST", "TRK": "TRACK", "TPA": "DISC", "TYE": "DATE", "TCO": "GENRE",
    ]

    /// Reads the tag at `offset`; `nil` where there is none.
    init?(_ file: FileBytes, at offset: Int) {
        guard let head = file.bytes(at: offset, 10) else { return nil }
        let size = ID3Tag.syncSafe(head[6...])
        let hasFooter = head[3] == 4 && head[5] & 0x10 != 0
        guard head.starts(with: Array("ID3".utf8)), (2...4).contains(head[3]), size <= TagReader.largestTag,
            let body = file.bytes(at: offset + 10, size)
        else { return nil }
        self.init(head: head, body: body, end: offset + 10 + size + (hasFooter ? 10 : 0))
    }

    /// Reads a tag that is a chunk's contents.
    init?(chunk: [UInt8]) {
        guard chunk.count >= 10, chunk.starts(with: Array("ID3".utf8)), (2...4).contains(chunk[3]) else { return nil }
        self.init(head: Array(chunk[..<10]), body: Array(chunk[10...].prefix(ID3Tag.syncSafe(chunk[6..<10]))), end: 0)
    }

    private init(head: [UInt8], body: [UInt8], end: Int) {
        self.end = end
        version = head[3]
        let flags = head[5]
        var body = flags & 0x80 != 0 && version < 4 ? ID3Tag.synchronized(body) : body
        if flags & 0x40 != 0, version >= 3, body.count >= 4 {
            let length = version == 4 ? ID3Tag.syncSafe(body[..<4]) : body[..<4].bigEndian + 4
            body.removeFirst(min(length, body.count))
        }
        self.body = body
    }

    // MARK: Frames

    /// Takes what the tag's frames say.
    func collect(into collector: inout TagCollector) {
        let nameLength = version == 2 ? 3 : 4
        var cursor = ByteCursor(body)
        while let name = cursor.take(nameLength), name.first != 0 {
            guard let size = frameSize(&cursor), let flags = cursor.take(version == 2 ? 0 : 2),
                let frame = cursor.take(size)
            else { return }
            if let content = content(frame, flags: Array(flags)) {
                take(String(decoding: name, as: UTF8.self), content, into: &collector)
            }
        }
    }

    private func frameSize(_ cursor: inout ByteCursor) -> Int? {
        guard let digits = cursor.take(version == 2 ? 3 : 4) else { return nil }
        guard version == 4 else { return digits.bigEndian }
        // Some writers of version 2.4 give eight bits a byte. Whose size leads to the next frame's name is right.
        let (safe, plain) = (ID3Tag.syncSafe(digits), digits.bigEndian)
        let isSafe = digits.allSatisfy { $0 < 0x80 } && ID3Tag.leads(to: safe, in: cursor.rest)
        return isSafe || !ID3Tag.leads(to: plain, in: cursor.rest) ? safe : plain
    }

    private static func leads(to size: Int, in rest: ArraySlice<UInt8>) -> Bool {
        let next = rest.dropFirst(2 + size).prefix(4)
        let isName = next.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return 2 + size <= rest.count && (isName || next.first == 0)
    }

    /// What a frame holds; `nil` where it is compressed or encrypted.
    private func content(_ frame: ArraySlice<UInt8>, flags: [UInt8]) -> [UInt8]? {
        guard version > 2, flags.count == 2 else { return Array(frame) }
        if version == 3 { return flags[1] & 0xC0 != 0 ? nil : Array(frame.dropFirst(flags[1] & 0x20 != 0 ? 1 : 0)) }
        if flags[1] & 0x0C != 0 { return nil }
        let extra = (flags[1] & 0x40 != 0 ? 1 : 0) + (flags[1] & 0x01 != 0 ? 4 : 0)
        let bytes = Array(frame.dropFirst(extra))
        return flags[1] & 0x02 != 0 ? ID3Tag.synchronized(bytes) : bytes
    }

    private func take(_ name: String, _ content: [UInt8], into collector: inout TagCollector) {
        guard let encoding = content.first else { return }
        let bytes = content.dropFirst()
        if name == "APIC" || name == "PIC" {
            collector.take(picture: picture(bytes, encoding: encoding, isShort: name == "PIC"))
        } else if name == "TXXX" || name == "TXX" {
            let texts = ID3Text.strings(bytes, encoding: encoding)
            if texts.count >= 2 { collector.take(key: texts[0], value: texts[1]) }
        } else if let key = ID3Tag.names[name] {
            for text in ID3Text.strings(bytes, encoding: encoding) { collector.take(key: key, value: text) }
        }
    }

    private func picture(_ bytes: ArraySlice<UInt8>, encoding: UInt8, isShort: Bool) -> CoverArt? {
        var cursor = ByteCursor(bytes)
        guard let type = isShort ? cursor.take(3) : cursor.takeThroughZero(), let kind = cursor.take(1)?.first,
            let data = ID3Text.split(cursor.rest, encoding: encoding)?.after
        else { return nil }
        let mimeType = String(decoding: type, as: UTF8.self)
        return mimeType == "-->" ? nil : CoverArt(bytes: data, mimeType: mimeType, kind: Int(kind))
    }

    // MARK: Bytes

    private static func syncSafe(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// Without the zeros that keep `FF` bytes from looking like the beginning of a frame of audio.
    private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isAfterMark = false
        for byte in bytes {
            if !(isAfterMark && byte == 0) { result.append(byte) }
            isAfterMark = byte == 0xFF
        }
        return result
    }

    /// Takes what the 128 bytes at a file's end say.
    static func collectVersion1(_ file: FileBytes, into collector: inout TagCollector) {
        guard let tag = file.bytes(at: file.size - 128, 128), tag.starts(with: Array("TAG".utf8)) else { return }
        let fields = [("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97)]
        for (key, range) in fields {
            collector.take(key: key, value: ID3Text.strings(tag[range], encoding: 0).first ?? "")
        }
        if tag[125] == 0, tag[126] != 0 { collector.take(key: "TRACK", value: String(tag[126])) }
    }
}

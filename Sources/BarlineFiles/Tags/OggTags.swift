import Foundation

/// The comment header of the first stream in an Ogg file: Vorbis, Opus or FLAC.
enum OggTags {
    static func collect(_ file: FileBytes, at offset: Int, into collector: inout TagCollector) {
        var packets = OggPackets(file, at: offset)
        guard let head = packets.next() else { return }
        if head.starts(with: Array("OpusHead".utf8)) {
            guard let comments = packets.next(), comments.starts(with: Array("OpusTags".utf8)) else { return }
            VorbisComments.collect(comments.dropFirst(8), isOpus: true, into: &collector)
        } else if head.starts(with: [1] + Array("vorbis".utf8)) {
            guard let comments = packets.next(), comments.starts(with: [3] + Array("vorbis".utf8)) else { return }
            VorbisComments.collect(comments.dropFirst(7), isOpus: false, into: &collector)
        } else if head.starts(with: [0x7F] + Array("FLAC".utf8)) {
            for _ in 0..<FLACTags.mostBlocks {
                guard let block = packets.next(), !FLACTags.collect(block: block, into: &collector) else { return }
            }
        }
    }
}

/// The packets of the first stream in an Ogg file, put together from its pages.
struct OggPackets {
    private let file: FileBytes
    private var offset: Int
    private var serial: [UInt8]?
    /// Lengths of the segments that are left on the page, and where the next one begins.
    private var segments: ArraySlice<UInt8> = []
    private var segmentStart = 0
    private var total = 0

    init(_ file: FileBytes, at offset: Int) {
        self.file = file
        self.offset = offset
    }

    /// The next packet; `nil` at the end, and where headers grow beyond what a tag can be.
    mutating func next() -> [UInt8]? {
        var packet: [UInt8] = []
        while true {
            while let length = segments.popFirst() {
                guard let piece = file.bytes(at: segmentStart, Int(length)) else { return nil }
                segmentStart += Int(length)
                packet += piece
                total += Int(length)
                if length < 255 { return packet }
                if total > TagReader.largestTag { return nil }
            }
            guard turnPage() else { return nil }
        }
    }

    private mutating func turnPage() -> Bool {
        while let head = file.bytes(at: offset, 27), head.starts(with: Array("OggS".utf8)) {
            guard let table = file.bytes(at: offset + 27, Int(head[26])) else { return false }
            let start = offset + 27 + table.count
            offset = start + table.reduce(0) { $0 + Int($1) }
            let number = Array(head[14..<18])
            if serial == nil { serial = number }
            if number == serial {
                segments = table[...]
                segmentStart = start
                return true
            }
        }
        return false
    }
}

import Foundation

/// What a WAV or RF64 file contains, read without a library.
package struct WaveContents {
    /// Why a file is none.
    package struct Malformed: Error {
        package let reason: String
    }

    package let container: String
    package let formatTag: Int
    package let channelCount: Int
    package let sampleRate: Int
    package let bits: Int
    /// The names of all chunks, in order.
    package let chunkNames: [String]
    /// One list a channel: values of float samples, or integer codes.
    package let channels: [[Float]]

    /// What `cue ` chunks mark, with what `LIST` of `adtl` says of them.
    package let markers: [Marker]

    /// A marked range.
    package struct Marker: Hashable {
        package let frame: Int
        package let length: Int
        package let label: String

        package init(frame: Int, length: Int, label: String) {
            self.frame = frame
            self.length = length
            self.label = label
        }
    }

    /// The frames.
    package var frameCount: Int { channels.first?.count ?? 0 }

    package init(path: String) throws {
        try self.init(bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    package init(bytes: [UInt8]) throws {
        guard bytes.count >= 12 else { throw Malformed(reason: "no header") }
        container = String(decoding: bytes[0..<4], as: UTF8.self)
        guard container == "RIFF" || container == "RF64", Array(bytes[8..<12]) == Array("WAVE".utf8) else {
            throw Malformed(reason: "neither RIFF nor RF64")
        }
        var names: [String] = []
        var format: ArraySlice<UInt8>?
        var data: ArraySlice<UInt8>?
        var longLength = 0
        var cues: [Int: Int] = [:]
        var (labels, lengths): ([Int: String], [Int: Int]) = ([:], [:])
        var offset = 12
        while offset + 8 <= bytes.count {
            let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            var length = Bytes.unsigned(bytes[offset + 4..<offset + 8])
            if name == "data", length == 0xFFFF_FFFF { length = longLength }
            let body = bytes[offset + 8..<min(bytes.count, offset + 8 + length)]
            guard body.count == length else { throw Malformed(reason: "chunk \(name) is cut") }
            names.append(name)
            if name == "ds64" { longLength = Bytes.unsigned(body.dropFirst(8).prefix(8)) }
            if name == "fmt " { format = body }
            let fields = Array(body)
            if name == "cue " {
                for point in 0..<Bytes.unsigned(fields[0..<4]) {
                    let entry = fields[(4 + 24 * point)..<(28 + 24 * point)]
                    cues[Bytes.unsigned(entry.prefix(4))] = Bytes.unsigned(entry.suffix(4))
                }
            }
            if name == "LIST", Array(fields.prefix(4)) == Array("adtl".utf8) {
                var place = 4
                while place + 12 <= fields.count {
                    let length = Bytes.unsigned(fields[place + 4..<place + 8])
                    let number = Bytes.unsigned(fields[place + 8..<place + 12])
                    let text = fields[place + 12..<min(fields.count, place + 8 + length)]
                    switch String(decoding: fields[place..<place + 4], as: UTF8.self) {
                    case "labl": labels[number] = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
                    case "ltxt": lengths[number] = Bytes.unsigned(text.prefix(4))
                    default: break
                    }
                    place += 8 + length + length % 2
                }
            }
            if name == "data" { data = body }
            offset += 8 + length + length % 2
        }
        guard let format, let data, format.count >= 16 else { throw Malformed(reason: "no fmt or no data") }
        chunkNames = names
        markers = cues.sorted { $0.key < $1.key }.map { number, frame in
            Marker(frame: frame, length: lengths[number] ?? 0, label: labels[number] ?? "")
        }
        let fields = Array(format)
        let tag = Bytes.unsigned(fields[0..<2])
        formatTag = tag == 0xFFFE && fields.count >= 26 ? Bytes.unsigned(fields[24..<26]) : tag
        channelCount = Bytes.unsigned(fields[2..<4])
        sampleRate = Bytes.unsigned(fields[4..<8])
        bits = Bytes.unsigned(fields[14..<16])
        channels = WaveContents.split(Array(data), channels: channelCount, bits: bits, isFloat: formatTag == 3)
    }

    private static func split(_ data: [UInt8], channels: Int, bits: Int, isFloat: Bool) -> [[Float]] {
        let width = bits / 8
        let frames = data.count / (width * channels)
        return data.withUnsafeBytes { bytes in
            (0..<channels).map { channel in
                (0..<frames).map { frame in
                    let offset = (frame * channels + channel) * width
                    if isFloat { return bytes.loadUnaligned(fromByteOffset: offset, as: Float.self) }
                    var code = 0
                    for byte in (0..<width).reversed() { code = code << 8 | Int(bytes[offset + byte]) }
                    let shift = 64 - bits
                    return Float((code << shift) >> shift)
                }
            }
        }
    }
}

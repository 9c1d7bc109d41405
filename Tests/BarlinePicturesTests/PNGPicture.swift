import BarlineTestSupport

/// A PNG file of 8-bit RGBA or RGB pixels, decoded without a library.
struct PNGPicture {
    /// Why a file is none.
    struct Malformed: Error {
        let reason: String
    }

    let width: Int
    let height: Int
    private let pixels: [SIMD4<UInt8>]

    subscript(column: Int, row: Int) -> SIMD4<UInt8> { pixels[row * width + column] }

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]) else { throw Malformed(reason: "no signature") }
        var header: [UInt8] = []
        var data: [UInt8] = []
        var names: [String] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = Bytes.unsigned(bytes[offset..<offset + 4].reversed())
            guard offset + 12 + length <= bytes.count else { throw Malformed(reason: "a chunk is cut") }
            let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            let body = Array(bytes[offset + 8..<offset + 8 + length])
            let checksum = Bytes.unsigned(bytes[offset + 8 + length..<offset + 12 + length].reversed())
            guard PNGPicture.checksum(bytes[offset + 4..<offset + 8 + length]) == checksum else {
                throw Malformed(reason: "the checksum of \(name) is wrong")
            }
            names.append(name)
            if name == "IHDR" { header = body }
            if name == "IDAT" { data += body }
            offset += 12 + length
        }
        guard names.first == "IHDR", names.last == "IEND", offset == bytes.count, header.count == 13 else {
            throw Malformed(reason: "chunks \(names)")
        }
        width = Bytes.unsigned(header[0..<4].reversed())
        height = Bytes.unsigned(header[4..<8].reversed())
        guard header[8] == 8, header[9] == 6 || header[9] == 2, header[12] == 0 else {
            throw Malformed(reason: "\(header)")
        }
        let size = header[9] == 6 ? 4 : 3
        let rows = try Inflate.decode(Array(data.dropFirst(2).dropLast(4)))
        let samples = try PNGPicture.unfilter(rows, width: width * size, height: height, size: size)
        pixels = stride(from: 0, to: samples.count, by: size).map { index in
            SIMD4(samples[index], samples[index + 1], samples[index + 2], size == 4 ? samples[index + 3] : 255)
        }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        return Int(~checksum)
    }

    private static func unfilter(_ data: [UInt8], width: Int, height: Int, size: Int) throws -> [UInt8] {
        guard data.count == (width + 1) * height else { throw Malformed(reason: "\(data.count) bytes of pixels") }
        var result = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            let filter = data[row * (width + 1)]
            for column in 0..<width {
                let left = column >= size ? Int(result[row * width + column - size]) : 0
                let above = row > 0 ? Int(result[(row - 1) * width + column]) : 0
                let corner = row > 0 && column >= size ? Int(result[(row - 1) * width + column - size]) : 0
                let guess: Int
                switch filter {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = above
                case 3: guess = (left + above) / 2
                case 4: guess = paeth(left, above, corner)
                default: throw Malformed(reason: "filter \(filter)")
                }
                let byte = data[row * (width + 1) + 1 + column]
                result[row * width + column] = byte &+ UInt8(truncatingIfNeeded: guess)
            }
        }
        return result
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let estimate = left + above - corner
        let distances = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
        return distances.1 <= distances.2 ? above : corner
    }
}

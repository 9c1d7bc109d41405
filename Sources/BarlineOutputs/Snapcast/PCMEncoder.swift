import BarlineDSP

/// Encodes samples as interleaved little-endian integers, dithered; 24-bit samples take four bytes.
struct PCMEncoder {
    private let bits: Int
    private var dither = Dither()
    private var bytes: [UInt8] = []

    init(bits: Int) { self.bits = bits }

    mutating func encode(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int
    ) -> [UInt8] {
        bytes.removeAll(keepingCapacity: true)
        for frame in 0..<count {
            append(dither.quantize(left[frame], bits: bits))
            append(dither.quantize(right[frame], bits: bits))
        }
        return bytes
    }

    private mutating func append(_ code: Int32) {
        for index in 0..<(bits == 16 ? 2 : 4) { bytes.append(UInt8(truncatingIfNeeded: code >> (8 * Int32(index)))) }
    }
}

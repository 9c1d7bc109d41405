import CWeights
import Foundation

/// Takes weights out of their bytes one after the other: 16-bit floats, little-endian.
struct WeightReader {
    private var bytes: Data

    init(_ data: Data) { bytes = data }

    /// Reads weights that are part of the program.
    init(_ weights: barline_weights) { self.init(Data(weights)) }

    /// Whether all have been taken.
    var isAtEnd: Bool { bytes.isEmpty }

    /// The next `count` weights.
    mutating func take(_ count: Int) -> [Float] {
        precondition(bytes.count >= 2 * count, "the weights are complete")
        defer { bytes = bytes.dropFirst(2 * count) }
        return bytes.withUnsafeBytes { bytes in
            (0..<count).map { index in
                Float(
                    Float16(
                        bitPattern: UInt16(
                            littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))))
            }
        }
    }
}

extension Data {
    /// The bytes of weights that are part of the program, where they are.
    init(_ weights: barline_weights) {
        let bytes = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(weights.bytes))
        self.init(bytesNoCopy: bytes, count: weights.count, deallocator: .none)
    }
}

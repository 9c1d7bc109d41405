import CKernels
import Foundation

/// A fast Fourier transform of complex values whose number is a power of two, in place.
///
/// Radix 2, decimation in time (Cooley & Tukey 1965), with the factors of every stage stored side by side so that the
/// inner loop is vectorised. Not `Sendable`: it owns its tables and is used by one task at a time.
package final class FourierTransform {
    /// How many complex values are transformed.
    package let count: Int
    private let cosines: UnsafeMutablePointer<Float>
    private let sines: UnsafeMutablePointer<Float>
    private let reversed: [Int32]

    /// Creates the tables for `count` values, a power of two from 4 on.
    package init(count: Int) {
        precondition(count >= 4 && count & (count - 1) == 0, "a power of two is transformed")
        self.count = count
        cosines = .allocate(capacity: count)
        sines = .allocate(capacity: count)
        cosines.initialize(repeating: 0, count: count)
        sines.initialize(repeating: 0, count: count)
        // The stage with `half` butterflies a group has its factors from `half` on.
        var half = 1
        while half < count {
            for index in 0..<half {
                let angle = -Double.pi * Double(index) / Double(half)
                cosines[half + index] = Float(cos(angle))
                sines[half + index] = Float(sin(angle))
            }
            half *= 2
        }
        let bits = count.trailingZeroBitCount
        reversed = (0..<count).map { index in
            Int32(truncatingIfNeeded: UInt32(index).bitReversed >> (32 - UInt32(bits)))
        }
    }

    deinit {
        cosines.deallocate()
        sines.deallocate()
    }

    /// Transforms forward, unscaled. The inverse of real, even values is the same.
    package func forward(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        dsp_swap_reversed(real, imaginary, reversed, count)
        var half = 1
        while half < count {
            dsp_fourier_stage(real, imaginary, cosines + half, sines + half, half, count)
            half *= 2
        }
    }
}

extension UInt32 {
    fileprivate var bitReversed: UInt32 {
        var value = self
        value = (value >> 1) & 0x5555_5555 | (value & 0x5555_5555) << 1
        value = (value >> 2) & 0x3333_3333 | (value & 0x3333_3333) << 2
        value = (value >> 4) & 0x0F0F_0F0F | (value & 0x0F0F_0F0F) << 4
        return value.byteSwapped
    }
}

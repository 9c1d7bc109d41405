/// Rounds samples to integers with triangular dither of two steps' width, which makes the rounding error a constant
/// noise instead of distortion (Lipshitz, Wannamaker, Vanderkooy, "Quantization and Dither", JAES 1992).
///
/// The noise is a fixed sequence: the same samples always give the same file.
package struct Dither {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init() {}

    /// `sample`, full scale ±1, as an integer of `bits` bits.
    package mutating func quantize(_ sample: Float, bits: Int) -> Int32 {
        let scale = Double(1 << (bits - 1))
        // Two infinities that cancel out are no number; as silence they do the least harm.
        let sample = sample.isNaN ? 0 : sample
        let dithered = (Double(sample) * scale + uniform() + uniform() - 1).rounded()
        return Int32(min(max(dithered, -scale), scale - 1))
    }

    /// The next number of the sequence, in 0 ..< 1 (SplitMix64; Steele, Lea, Flood, 2014).
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) * 0x1p-53
    }
}

/// Rounds samples to integers with triangular dither of two steps' width, which makes the rounding error a constant
/// noise instead of distortion (Lipshitz, Wannamaker, Vanderkooy, "Quantization and Dither", JAES 1992).
///
/// The noise is a fixed sequence: the same samples always give the same file.
package struct Dither {
    private var noise = SplitMix64(seed: SplitMix64.increment)

    package init() {}

    /// `sample`, full scale ±1, as an integer of `bits` bits.
    package mutating func quantize(_ sample: Float, bits: Int) -> Int32 {
        let scale = Double(1 << (bits - 1))
        // The sum of opposite infinities is NaN; as silence it does the least harm.
        let sample = sample.isNaN ? 0 : sample
        let dithered = (Double(sample) * scale + noise.uniform() + noise.uniform() - 1).rounded()
        return Int32(min(max(dithered, -scale), scale - 1))
    }
}

import CKernels
import CRealtime

/// Finds the peaks between samples: a polyphase interpolator of factor 4, as specified by ITU-R BS.1770-5, annex 2.
///
/// Its phases lie on the samples and a quarter, a half and three quarters after them. They are Kaiser-windowed sincs of
/// ``taps`` samples, where the recommendation's example has 12: up to 0.45 of the sample rate no peak reads low by more
/// than the 0.3 dB that may lie between the four.
@usableFromInline
struct TruePeakFilter: BitwiseCopyable, @unchecked Sendable {
    /// The number of samples that an interpolated value depends on.
    @usableFromInline static var taps: Int { @_noLocks @inlinable get { 32 } }
    /// The number of samples after a peak's own that it depends on.
    @usableFromInline static var lookAhead: Int { @_noLocks @inlinable get { 16 } }
    /// The number of samples that may be read past the last one requested.
    @usableFromInline static var slack: Int { @_noLocks @inlinable get { 8 } }

    /// Three phases of `taps` weights.
    @usableFromInline let weights: UnsafeMutablePointer<Float>
    /// No value between samples exceeds the largest of the samples by more than this factor.
    @usableFromInline let gain: Float

    init() {
        let taps = TruePeakFilter.taps
        let window = KaiserWindow(beta: 5)
        weights = .allocate(capacity: 3 * taps)
        var largest = 1.0
        for phase in 0..<3 {
            let row = (0..<taps).map { tap in
                let distance = Double(tap - (taps - TruePeakFilter.lookAhead - 1)) - Double(phase + 1) / 4
                let angle = Double.pi * distance
                return rt_sin(angle) / angle * window.value(at: distance / Double(taps / 2))
            }
            let sum = row.reduce(0, +)
            for tap in 0..<taps { weights[phase * taps + tap] = Float(row[tap] / sum) }
            largest = max(largest, row.reduce(0) { $0 + abs($1 / sum) })
        }
        // Slightly more, to allow for rounding of the sums.
        gain = Float(largest * 1.0001)
    }

    func deallocate() { weights.deallocate() }

    /// Raises `peaks` to the magnitudes of `count` samples and of the three values after each.
    ///
    /// `samples` points at the first; `taps` before it and `lookAhead + slack` after the last must be readable. Every
    /// value is summed in the same order, whatever `count` is. O(`count`).
    @_noLocks @inlinable
    func raise(_ peaks: UnsafeMutablePointer<Float>, by samples: UnsafePointer<Float>, count: Int) {
        let before = TruePeakFilter.taps - TruePeakFilter.lookAhead - 1
        dsp_raise_peaks(peaks, samples, weights, TruePeakFilter.taps, before, count)
    }
}

import BarlineAnalysis
import Foundation

/// The signal that is played periodically to measure a round trip, and its detection in what is recorded.
///
/// All frequencies up to 45 % of the rate at the same level, with phases that make a sweep of them, so that the peak is
/// low (Schroeder, "Synthesis of low-peak-factor signals and binary sequences with low autocorrelation", IEEE Trans.
/// Inf. Theory 16, 1970). The delay is the one at which the cross-correlation with what came back is largest (Knapp &
/// Carter, "The generalized correlation method for estimation of time delay", IEEE Trans. ASSP 24, 1976); between
/// frames it is asked of the cross spectrum, whose correlation is known at any time.
package struct RoundTripSignal {
    /// The reading of one period that came back.
    package struct Reading: Hashable, Sendable {
        /// The delay in frames.
        package let frames: Double
        /// How loud it came back, in dB.
        package let gain: Double
        /// By how much the correlation's peak is above its mean.
        package let clarity: Double
    }

    /// One period, the length of which is a power of two.
    let samples: [Float]
    private let spectrum: (real: [Float], imaginary: [Float])
    private let bins: Range<Int>
    private let level: Double

    /// Where the peak is less than so many times above the mean, nothing came back: noise comes to five.
    static let leastClarity = 8.0
    /// The level at which it is played, in dB.
    private static let decibels = -20.0

    /// A signal that is longer than any round trip: a second at least.
    init(sampleRate: Double) {
        var count = 1 << 12
        while Double(count) < sampleRate { count *= 2 }
        let last = Int(0.45 * Double(count))
        bins = max(1, Int(20 * Double(count) / sampleRate))..<last
        var real = [Float](repeating: 0, count: count)
        var imaginary = real
        for bin in bins {
            // The square's remainder is exact where its angle would not be.
            let turns = Double(bin * bin % (2 * last)) / Double(2 * last)
            real[bin] = Float(cos(2 * .pi * turns))
            imaginary[bin] = Float(-sin(2 * .pi * turns))
        }
        spectrum = (real, imaginary)
        let sound = RoundTripSignal.inverse(real, imaginary)
        let peak = sound.map(abs).max() ?? 1
        level = pow(10, RoundTripSignal.decibels / 20) / Double(peak)
        let factor = Float(level)
        samples = sound.map { $0 * factor }
    }

    /// Finds the signal in one period of what came back, which began with a period's first frame.
    func reading(of recorded: [Float]) -> Reading? {
        guard recorded.count == samples.count else { return nil }
        var (real, imaginary) = (recorded, [Float](repeating: 0, count: recorded.count))
        RoundTripSignal.transform(&real, &imaginary)
        // Times the conjugate of what was played.
        var cross = (
            real: [Float](repeating: 0, count: recorded.count), imaginary: [Float](repeating: 0, count: recorded.count)
        )
        for bin in bins {
            cross.real[bin] = real[bin] * spectrum.real[bin] + imaginary[bin] * spectrum.imaginary[bin]
            cross.imaginary[bin] = imaginary[bin] * spectrum.real[bin] - real[bin] * spectrum.imaginary[bin]
        }
        let correlation = RoundTripSignal.inverse(cross.real, cross.imaginary)
        guard let peak = correlation.indices.max(by: { abs(correlation[$0]) < abs(correlation[$1]) }) else {
            return nil
        }
        let squares = correlation.reduce(0.0) { $0 + Double($1) * Double($1) }
        let mean = (squares / Double(correlation.count)).squareRoot()
        guard mean > 0 else { return nil }
        let sign = correlation[peak] < 0 ? -1.0 : 1.0
        let delay = RoundTripSignal.largest(around: Double(peak)) { delay in
            sign * self.correlation(cross.real, cross.imaginary, at: delay)
        }
        // A cable that changes nothing gives each frequency half of its level times the period.
        let whole = level * Double(bins.count) * Double(samples.count) / 2
        let height = abs(self.correlation(cross.real, cross.imaginary, at: delay))
        return Reading(frames: delay, gain: 20 * log10(height / whole), clarity: height / mean)
    }

    /// The correlation at a delay, in frames, whole or not.
    private func correlation(_ real: [Float], _ imaginary: [Float], at delay: Double) -> Double {
        let step = 2 * Double.pi * delay / Double(samples.count)
        return bins.reduce(0) { sum, bin in
            let angle = step * Double(bin)
            return sum + Double(real[bin]) * cos(angle) - Double(imaginary[bin]) * sin(angle)
        }
    }

    /// Where a function is largest within half a frame and a little: by golden sections (Kiefer 1953).
    private static func largest(around middle: Double, _ value: (Double) -> Double) -> Double {
        let ratio = (5.0.squareRoot() - 1) / 2
        var (low, high) = (middle - 0.6, middle + 0.6)
        for _ in 0..<24 {
            let (first, second) = (high - ratio * (high - low), low + ratio * (high - low))
            if value(first) > value(second) { high = second } else { low = first }
        }
        return (low + high) / 2
    }

    private static func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
        let transform = FourierTransform(count: real.count)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let first = real.baseAddress, let second = imaginary.baseAddress else { return }
                transform.forward(first, second)
            }
        }
    }

    /// The real part of the inverse transform, unscaled: that of the transform of the conjugate.
    private static func inverse(_ real: [Float], _ imaginary: [Float]) -> [Float] {
        var (real, conjugate) = (real, imaginary.map { -$0 })
        transform(&real, &conjugate)
        return real
    }
}

import Foundation

/// Sums over windows of what a ``PeriodicityProfile`` averages.
struct ProfileSums {
    private(set) var count = 0
    private(set) var magnitudes: [[Float]]
    private(set) var crossings: [[Float]]
    private(set) var couplings: [[Float]]
    private(set) var alignments: [[Float]]
    private(set) var correlations: [[Float]]
    private let transform = FourierTransform(count: PeriodicityProfile.points)
    private static let bins = PeriodicityProfile.points / 2

    init() {
        let empty = [[Float]](
            repeating: Array(repeating: 0, count: ProfileSums.bins), count: PeriodicityProfile.rowCount)
        magnitudes = empty
        crossings = empty
        couplings = empty
        alignments = empty
        correlations = empty
    }

    /// Adds a window.
    ///
    /// - Parameters:
    ///   - rows: the envelope, padded with zeros.
    ///   - windowed: the same, tapered.
    ///   - padding: how many values are padding.
    mutating func add(_ rows: [[Float]], windowed: [[Float]], padding: Int) {
        count += 1
        var lowReal: [Float] = []
        var lowImaginary: [Float] = []
        for row in 0..<PeriodicityProfile.rowCount {
            var real = windowed[row]
            var imaginary = [Float](repeating: 0, count: PeriodicityProfile.points)
            apply(&real, &imaginary)
            let scale = 1 / max(real[0], 1e-6)
            for index in 0..<PeriodicityProfile.points {
                real[index] *= scale
                imaginary[index] *= scale
            }
            if row == 0 {
                lowReal = real
                lowImaginary = imaginary
            }
            for bin in 0..<ProfileSums.bins {
                let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
                let magnitude = power.squareRoot()
                magnitudes[row][bin] += magnitude
                let low = (lowReal[bin] * lowReal[bin] + lowImaginary[bin] * lowImaginary[bin]).squareRoot()
                let product = real[bin] * lowReal[bin] + imaginary[bin] * lowImaginary[bin]
                crossings[row][bin] += product / max((low * magnitude).squareRoot(), 1e-6)
                alignments[row][bin] += real[bin]
                if 2 * bin < ProfileSums.bins {
                    let squareReal = real[bin] * real[bin] - imaginary[bin] * imaginary[bin]
                    let squareImaginary = 2 * real[bin] * imaginary[bin]
                    let bispectrum = squareReal * real[2 * bin] + squareImaginary * imaginary[2 * bin]
                    couplings[row][bin] += bispectrum / max(power, 1e-9)
                }
            }
            correlate(rows[row], padding: padding, row: row)
        }
    }

    private mutating func correlate(_ values: [Float], padding: Int, row: Int) {
        let length = values.count - padding
        let mean = values.reduce(0, +) / Float(max(1, length))
        var real = values
        for index in 0..<length { real[index] -= mean }
        var imaginary = [Float](repeating: 0, count: values.count)
        apply(&real, &imaginary)
        for index in 0..<values.count {
            real[index] = real[index] * real[index] + imaginary[index] * imaginary[index]
            imaginary[index] = 0
        }
        apply(&real, &imaginary)
        let scale = 1 / max(real[0], 1e-6)
        for lag in 0..<ProfileSums.bins {
            // Fewer values meet at longer lags of what is no loop.
            let bias = padding == 0 ? 1 : Float(length) / Float(max(length - lag, length / 8, 1))
            correlations[row][lag] += real[lag] * scale * bias
        }
    }

    private func apply(_ real: inout [Float], _ imaginary: inout [Float]) {
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                if let real = real.baseAddress, let imaginary = imaginary.baseAddress {
                    transform.forward(real, imaginary)
                }
            }
        }
    }
}

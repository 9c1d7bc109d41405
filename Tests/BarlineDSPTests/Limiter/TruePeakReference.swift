import Foundation

/// The true peak by its definition: the band-limited signal through the samples, looked at several times a sample.
///
/// Each value is the sum of 128 neighbours under a Hann-windowed sinc, in double precision.
enum TruePeakReference {
    static let reach = 64

    /// The largest magnitude of the signal, looked at `factor` times a sample, in dB.
    static func decibels(_ samples: [Float], factor: Int) -> Double {
        let padding = [Double](repeating: 0, count: reach)
        let padded = padding + samples.map(Double.init) + padding
        var peak = samples.reduce(0.0) { max($0, abs(Double($1))) }
        for phase in 1..<factor {
            let weights = (0..<2 * reach).map { tap -> Double in
                let distance = Double(tap - (reach - 1)) - Double(phase) / Double(factor)
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
                return sin(.pi * distance) / (.pi * distance) * window
            }
            padded.withUnsafeBufferPointer { padded in
                for frame in 0..<samples.count {
                    var sum = 0.0
                    for tap in 0..<2 * reach { sum += weights[tap] * padded[frame + 1 + tap] }
                    peak = max(peak, abs(sum))
                }
            }
        }
        return 20 * log10(peak)
    }
}

import Foundation

/// The moments at which something begins.
struct OnsetTimes: Sendable {
    /// Seconds from the envelope's start.
    let times: [Double]
    /// How strongly, 1 on the average.
    let weights: [Double]

    /// The onsets of an envelope that stand out.
    init(_ envelope: OnsetEnvelope) {
        let threshold = 0.15 * OnsetEnvelope.typicalHeight(envelope.onsets.map(\.strength))
        let onsets = envelope.onsets.filter { $0.strength > threshold }
        let mean = max(1e-6, onsets.reduce(0) { $0 + $1.strength } / Float(max(1, onsets.count)))
        times = onsets.map(\.time)
        weights = onsets.map { Double($0.strength / mean) }
    }

    /// The frequency near `frequency` hertz with which the onsets pulse most, and the time of the pulse nearest to 0.
    ///
    /// The sum of the spectrum's powers at the frequency and its multiples, whose highest peak over a long sound is far
    /// narrower than that of any autocorrelation.
    ///
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - reach: how far off it may be, as a share.
    /// - Returns: the frequency in hertz and the phase in seconds.
    func pulse(near frequency: Double, reach: Double) -> (frequency: Double, phase: Double) {
        guard let last = times.last, let first = times.first, last > first else { return (frequency, 0) }
        let span = last - first
        let step = 1 / (span * 4 * 16)
        let count = max(1, Int(frequency * reach / step))
        var best = (frequency: frequency, power: -1.0)
        for index in -count...count {
            let candidate = frequency + Double(index) * step
            let power = self.power(candidate)
            if power > best.power { best = (candidate, power) }
        }
        // A parabola through the peak and its neighbours.
        let (before, after) = (power(best.frequency - step), power(best.frequency + step))
        let curvature = before - 2 * best.power + after
        let shift = curvature < 0 ? 0.5 * (before - after) / curvature : 0
        let found = best.frequency + max(-1, min(1, shift)) * step
        let (real, imaginary) = spectrum(found)
        return (found, atan2(imaginary, real) / (2 * .pi * found))
    }

    private func power(_ frequency: Double) -> Double {
        [1.0, 2, 4].reduce(0) { sum, multiple in
            let (real, imaginary) = spectrum(frequency * multiple)
            return sum + real * real + imaginary * imaginary
        }
    }

    /// The sum of unit vectors turned by the onsets' phases.
    func spectrum(_ frequency: Double) -> (real: Double, imaginary: Double) {
        var real = 0.0
        var imaginary = 0.0
        for (time, weight) in zip(times, weights) {
            let angle = 2 * .pi * frequency * time
            real += weight * cos(angle)
            imaginary += weight * sin(angle)
        }
        return (real, imaginary)
    }
}

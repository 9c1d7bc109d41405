import Foundation

/// Finds when a sound begins to the millisecond, where an envelope of longer blocks says only about when.
///
/// The moment at which the amplitude of the next 10 ms exceeds that of the last 10 ms most, of the signal and of its
/// slope: the one shows drums, the other plucked strings and cymbals.
struct OnsetLocator: Sendable {
    /// Seconds of signal that are needed before and after the time that is known roughly.
    static let before = 0.060
    static let after = 0.055

    private let cell: Double
    private static let span = 10

    /// A locator for samples at a rate in hertz.
    init(sampleRate: Double) { cell = sampleRate / 1000 }

    /// The onset in samples after the start of `samples`, which begin ``before`` the rough time and end ``after`` it.
    func locate(_ samples: UnsafeBufferPointer<Float>) -> Double {
        let count = Int(Double(samples.count - 1) / cell)
        guard count > 2 * OnsetLocator.span else { return Double(samples.count) / 2 }
        var levels = [Float](repeating: 0, count: count)
        var slopes = levels
        for index in 0..<count {
            let first = Int(Double(index) * cell) + 1
            let end = min(samples.count, max(first + 1, Int(Double(index + 1) * cell) + 1))
            var level: Float = 0
            var slope: Float = 0
            for frame in first..<end {
                let difference = samples[frame] - samples[frame - 1]
                level += samples[frame] * samples[frame]
                slope += difference * difference
            }
            levels[index] = level
            slopes[index] = slope
        }
        let rises = zip(OnsetLocator.rises(levels), OnsetLocator.rises(slopes)).map { $0 + $1 }
        let best = rises.indices.max { rises[$0] < rises[$1] } ?? 0
        return (Double(best + OnsetLocator.span)) * cell
    }

    /// How much the amplitude rises at each cell from ``span`` on, relative to the highest.
    private static func rises(_ energies: [Float]) -> [Float] {
        var sums: [Float] = [0]
        for energy in energies { sums.append(sums[sums.count - 1] + energy) }
        let amplitudes = (0...energies.count - span).map { max(0, sums[$0 + span] - sums[$0]).squareRoot() }
        let scale = 1 / max(amplitudes.max() ?? 0, 1e-9)
        return (0..<max(0, amplitudes.count - span)).map { (amplitudes[$0 + span] - amplitudes[$0]) * scale }
    }
}

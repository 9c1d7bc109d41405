import Foundation

/// Finds when a sound begins to the millisecond, where an envelope of longer blocks says only about when.
///
/// The moment at which the amplitude of the next milliseconds exceeds that of the last ones most, of the signal and of
/// its slope: the one shows drums, the other plucked strings and cymbals.
struct OnsetLocator: Sendable {
    /// Seconds of signal that are needed before and after the time that is known roughly.
    static let before = 0.060
    static let after = 0.055

    private let cell: Double
    private static let span = 10
    private static let decay: Float = 0.82

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
        return Double(best) * cell
    }

    /// How much the amplitude rises at the start of each cell, relative to the highest: what follows counts the less
    /// the later it is, so that a click is found where it is and not where a window begins to see it.
    private static func rises(_ energies: [Float]) -> [Float] {
        var following = energies
        for index in energies.indices.dropLast().reversed() { following[index] += decay * following[index + 1] }
        var preceding: Float = 0
        let highest = max(1e-12, following.max() ?? 0).squareRoot()
        return energies.indices.map { index in
            defer { preceding = energies[index] + decay * preceding }
            // What is near the edges was only partly seen.
            guard index >= span, index < energies.count - span else { return 0 }
            return (following[index].squareRoot() - preceding.squareRoot()) / highest
        }
    }
}

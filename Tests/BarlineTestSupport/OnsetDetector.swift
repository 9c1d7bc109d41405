import Foundation

/// Finds where sounds begin: the frames at which the energy of a short window rises most over that of the one before.
package enum OnsetDetector {
    /// Frames of a window.
    package static let window = 128
    /// Frames between two looks.
    package static let hop = 16

    /// The frames of the onsets in `signal`, at least 40 ms apart, which rise by at least 9 dB to within 36 dB of the
    /// loudest window.
    package static func onsets(in signal: [Float], sampleRate: Double) -> [Int] {
        let energies = energies(of: attacks(of: signal))
        let loudest = energies.max() ?? 0
        guard loudest > 0 else { return [] }
        let lag = window / hop
        let rises = energies.indices.map { index -> Double in
            guard index >= lag, energies[index] > loudest * 2.5e-4 else { return 0 }
            return log((energies[index] + loudest * 1e-6) / (energies[index - lag] + loudest * 1e-6))
        }
        let distance = Int(0.04 * sampleRate) / hop
        var found: [Int] = []
        var index = 0
        while index < rises.count {
            guard rises[index] > 2.07 else {
                index += 1
                continue
            }
            let end = min(rises.count, index + 2 * lag)
            let peak = (index..<end).max { rises[$0] < rises[$1] } ?? index
            // The later window begins at the rise.
            found.append(peak * hop)
            index = peak + distance
        }
        return found
    }

    /// The signal without its low notes, whose every cycle would be a rise: its second difference.
    private static func attacks(of signal: [Float]) -> [Float] {
        guard signal.count > 2 else { return [] }
        return (2..<signal.count).map { signal[$0] - 2 * signal[$0 - 1] + signal[$0 - 2] }
    }

    private static func energies(of signal: [Float]) -> [Double] {
        var sums: [Double] = [0]
        sums.reserveCapacity(signal.count + 1)
        for sample in signal { sums.append(sums[sums.count - 1] + Double(sample) * Double(sample)) }
        return stride(from: 0, to: max(0, signal.count - window), by: hop).map { sums[$0 + window] - sums[$0] }
    }
}

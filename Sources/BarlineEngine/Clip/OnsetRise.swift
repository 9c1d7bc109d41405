import BarlineDSP
import Foundation

/// By how much a sound rises at its attacks.
enum OnsetRise {
    /// The time on either side of an attack that is compared, in seconds.
    private static let seconds = 0.01

    /// The level of the 10 ms from `onset` on above that of the 10 ms before it, in dB, both wrapping around `region`
    /// if it loops. An attack out of silence rises by more than any number.
    ///
    /// - Complexity: O(1).
    static func decibels(at onset: Int, in region: Range<Int>, loops: Bool, of buffer: SampleBuffer) -> Double {
        let frames = max(1, Int(seconds * buffer.sampleRate.hertz))
        func energy(_ places: Range<Int>) -> Double {
            var sum = 0.0
            for place in places {
                var frame = place
                if !region.contains(frame) {
                    if !loops { continue }
                    frame =
                        region.lowerBound + ((frame - region.lowerBound) % region.count + region.count) % region.count
                }
                let (left, right) = (Double(buffer.left[frame]), Double(buffer.right[frame]))
                sum += left * left + right * right
            }
            return sum
        }
        let (before, after) = (energy(onset - frames..<onset), energy(onset..<onset + frames))
        if before == 0 { return .infinity }
        return after == 0 ? -.infinity : 10 * log10(after / before)
    }
}

extension ClipSettings {
    /// The onsets at which what sounds before is cut off.
    func cutOnsets(in region: Range<Int>, of buffer: SampleBuffer) -> [Int] {
        heardOnsets(in: region).filter { isStrong($0, in: region, of: buffer) }
    }

    /// The onsets at which only what rises restarts.
    func weakOnsets(in region: Range<Int>, of buffer: SampleBuffer) -> [Int] {
        if stretch.cutRise <= 0 { return [] }
        return heardOnsets(in: region).filter { !isStrong($0, in: region, of: buffer) }
    }

    private func heardOnsets(in region: Range<Int>) -> [Int] {
        stretchMode == .tonal ? [] : onsets.filter(region.contains)
    }

    private func isStrong(_ onset: Int, in region: Range<Int>, of buffer: SampleBuffer) -> Bool {
        stretch.cutRise <= 0
            || OnsetRise.decibels(at: onset, in: region, loops: loops, of: buffer) >= stretch.cutRise
    }
}

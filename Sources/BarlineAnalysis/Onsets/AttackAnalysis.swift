import BarlineDSP
import Foundation

/// Finds the frames at which attacks begin, for stretching a sound without smearing them.
///
/// An attack that is marked a millisecond late loses what came before the mark; one that is marked up to 2 ms early
/// loses nothing. So from the steepest rise, which is where ``OnsetExtractor`` puts an onset, it is gone back to where
/// the sound is no more what it would have gone on as (``AttackPrediction``); where that can't be decided, to where its
/// amplitude leaves what there was before (``AttackStart``), and rises of less than 6 dB within 10 ms, of vibrato and
/// of notes that swell, are no attacks then.
package enum AttackAnalysis {
    /// An attack is not looked for within so many seconds of the rise of the one before it.
    private static let nearest = 0.015
    /// What rises in the treble only is an attack if there is no other within as many seconds: consonants come closer.
    private static let apart = 0.04
    /// A loop is analysed from this many seconds before its first frame. Where that lead begins, out of silence, is no
    /// attack of the loop; what lies within ``seamSeconds`` of the first frame is one.
    private static let leadSeconds = 0.25
    private static let seamSeconds = 0.1

    /// The frames of `range` at which attacks begin, in their order.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - range: the frames that are looked at.
    ///   - loops: whether what is before the first frame is the end of the range.
    /// - Returns: frames of `buffer`.
    package static func attacks(in buffer: SampleBuffer, range: Range<Int>, loops: Bool) -> [Int] {
        let sampleRate = buffer.sampleRate.hertz
        let lead = loops ? Int(leadSeconds * sampleRate) : 0
        let sign: Float = areInverted(buffer, range) ? -1 : 1
        let mono = (-lead..<range.count).map { place in
            let frame = range.lowerBound + (place % range.count + range.count) % range.count
            return 0.5 * (buffer.left[frame] + sign * buffer.right[frame])
        }
        let extractor = OnsetExtractor(
            sampleRate: sampleRate, peak: OnsetExtractor.peak(mono, sampleRate: sampleRate))
        for start in stride(from: 0, to: mono.count, by: 1 << 16) {
            extractor.add(mono[start..<min(mono.count, start + 1 << 16)])
        }
        extractor.finish()
        let start = AttackStart(mono, sampleRate: sampleRate)
        let prediction = AttackPrediction(mono, sampleRate: sampleRate)
        func places(_ found: [Int]) -> [Int] {
            var attacks: Set<Int> = []
            for frame in found {
                let place = frame - lead
                // What begins just before a loop's first frame belongs to its end.
                if place >= 0 {
                    attacks.insert(place)
                } else if place >= -Int(seamSeconds * sampleRate) {
                    attacks.insert(place + range.count)
                }
            }
            return attacks.map { $0 + range.lowerBound }.filter(range.contains).sorted()
        }
        let rises = extractor.envelope.onsets.map { Int($0.time * sampleRate) }
        var found: [Int] = []
        var earliest = 0
        for rise in rises {
            if let frame = prediction.find(near: rise, notBefore: earliest, orAt: { start.find(near: rise) }) {
                found.append(frame)
            }
            earliest = rise + Int(nearest * sampleRate)
        }
        // A cymbal on top of tones that sound through it is left to them: cut off for it, they lose more than it gains.
        let diesAway = character(of: buffer, range: range, attacks: places(found)) == .beats
        for treble in TrebleRises(mono, sampleRate: sampleRate).rises where diesAway || treble.isBroad {
            let earliest = rises.last { $0 <= treble.frame }.map { $0 + Int(nearest * sampleRate) } ?? 0
            let frame = prediction.find(near: treble.frame, notBefore: earliest) { start.find(near: treble.frame) }
            guard let frame, !found.contains(where: { abs($0 - frame) < Int(apart * sampleRate) }) else { continue }
            found.append(frame)
        }
        return places(found)
    }

    /// Whether channels cancel each other out: then they are heard by their difference.
    private static func areInverted(_ buffer: SampleBuffer, _ range: Range<Int>) -> Bool {
        var (middle, side) = (0.0, 0.0)
        for frame in range {
            let (left, right) = (Double(buffer.left[frame]), Double(buffer.right[frame]))
            middle += (left + right) * (left + right)
            side += (left - right) * (left - right)
        }
        return side > 4 * middle
    }
}

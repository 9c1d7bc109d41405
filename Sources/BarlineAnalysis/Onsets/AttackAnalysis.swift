import BarlineDSP
import Foundation

/// Finds the frames at which attacks begin, for stretching a sound without smearing them.
///
/// An attack that is marked a millisecond late loses what came before the mark; one that is marked up to 2 ms early loses
/// nothing. So from the steepest rise, which is where ``OnsetExtractor`` puts an onset, it is gone back to where the sound
/// leaves what was there before, and rises of less than 6 dB within 10 ms, of vibrato and of notes that swell, are no attacks.
package enum AttackAnalysis {
    /// The frames of `range` at which attacks begin, in their order.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - range: the frames that are looked at.
    ///   - loops: whether what is before the first frame is the end of the range.
    /// - Returns: frames of `buffer`.
    package static func attacks(in buffer: SampleBuffer, range: Range<Int>, loops: Bool) -> [Int] {
        let sampleRate = buffer.sampleRate.hertz
        let lead = loops ? min(range.count, Int(0.25 * sampleRate)) : 0
        let frames = Array(range.suffix(lead)) + Array(range)
        let mono = frames.map { 0.5 * (buffer.left[$0] + buffer.right[$0]) }
        let extractor = OnsetExtractor(
            sampleRate: sampleRate, peak: OnsetExtractor.peak(mono, sampleRate: sampleRate))
        for start in stride(from: 0, to: mono.count, by: 1 << 16) {
            extractor.add(mono[start..<min(mono.count, start + 1 << 16)])
        }
        extractor.finish()
        let start = AttackStart(mono, sampleRate: sampleRate)
        var attacks: Set<Int> = []
        for onset in extractor.envelope.onsets {
            guard let frame = start.find(near: Int(onset.time * sampleRate)) else { continue }
            let place = frame - lead
            // What begins just before a loop's first frame belongs to its end.
            if place >= 0 { attacks.insert(place) } else if loops { attacks.insert(place + range.count) }
        }
        return attacks.filter { $0 < range.count }.map { $0 + range.lowerBound }.sorted()
    }
}

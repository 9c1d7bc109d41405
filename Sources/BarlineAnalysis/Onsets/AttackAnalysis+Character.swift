import BarlineDSP
import Foundation

extension AttackAnalysis {
    /// The character of a sound, by which it is stretched.
    package enum Character: Sendable {
        /// Each attack dies away before the next one: drums, short notes.
        case beats
        /// There are hardly any attacks.
        case sustained
        /// Attacks, and what sounds through them.
        case mixed
    }

    /// Attacks a second below which there are hardly any.
    private static let sparse = 0.2
    /// How far a sound has fallen by the end that is as good as over, in dB.
    private static let silentFall = 24.0
    /// As many of the attacks must die away.
    private static let share = 0.75

    /// The character of `range`, of which the attacks are known.
    ///
    /// - Complexity: O(*n*) in the attacks.
    package static func character(of buffer: SampleBuffer, range: Range<Int>, attacks: [Int]) -> Character {
        let rate = buffer.sampleRate.hertz
        let inRange = attacks.filter(range.contains)
        if Double(inRange.count) < max(1, sparse * Double(range.count) / rate) { return .sustained }
        let window = Int(0.03 * rate)
        func power(_ frames: Range<Int>) -> Double {
            frames.reduce(1e-12) {
                let (left, right) = (Double(buffer.left[$1]), Double(buffer.right[$1]))
                return $0 + left * left + right * right
            } / Double(max(1, frames.count))
        }
        var falls: [Double] = []
        for (index, attack) in inRange.enumerated() {
            let next = index + 1 < inRange.count ? inRange[index + 1] : range.upperBound
            if next - attack < 2 * window { continue }
            // Just before the next one, which may be marked 2 ms early.
            let end = power(next - window..<next)
            falls.append(10 * log10(power(attack..<attack + window) / end))
        }
        let silent = falls.filter { $0 >= silentFall }.count
        return !falls.isEmpty && Double(silent) >= share * Double(falls.count) ? .beats : .mixed
    }
}

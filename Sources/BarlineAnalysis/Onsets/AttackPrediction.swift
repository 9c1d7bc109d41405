/// Finds where a sound is no more what it would have gone on as: the first frame of an attack, where what sounds before
/// it rings on.
///
/// A low note's waves are longer than an attack, and its amplitude says late that another has begun on top of it. What
/// sounds can be said from what has sounded (``LinearPrediction``), and something new can't.
struct AttackPrediction {
    private let samples: [Float]
    private let rate: Double

    /// How far back it is looked for an attack, and on from there.
    private static let back = 0.05
    private static let onward = 0.01
    /// What is learnt from.
    private static let trainingSeconds = 0.04
    /// As many times the worst error of what is learnt from is something new.
    private static let excess = 2.0
    /// An error that is so small beside the greatest one to come is not the attack yet.
    private static let leastShare = 0.002
    /// How much earlier than it is heard an attack is marked: early is harmless, late is not.
    private static let lead = 0.0006
    /// The longest wave: amplitudes are compared over as long.
    private static let wave = 0.025
    private static let leastRise: Float = 1.25

    init(_ samples: [Float], sampleRate: Double) {
        self.samples = samples
        rate = sampleRate
    }

    /// The first frame of the attack whose steepest rise is near `frame`, or up to 0.6 ms before it; `nil` where it
    /// can't be distinguished from what sounds before. Nothing before `earliest` is taken for it.
    func find(near frame: Int, notBefore earliest: Int) -> Int? {
        let first = max(earliest, frame - Int(AttackPrediction.back * rate))
        let start = first - Int(AttackPrediction.trainingSeconds * rate)
        let end = min(samples.count, frame + Int(AttackPrediction.onward * rate))
        guard start >= 0, end > first else { return nil }
        let sound = samples[start..<end].map(Double.init)[...]
        let training = sound[..<(first - start)]
        guard training.count >= 2 * LinearPrediction.order else { return nil }
        let prediction = LinearPrediction(training)
        let usual = (LinearPrediction.order..<training.count).reduce(0) { max($0, prediction.error(at: $1, in: sound)) }
        let errors = (training.count..<sound.count).map { prediction.error(at: $0, in: sound) }
        let threshold = max(
            AttackPrediction.excess * usual, AttackPrediction.leastShare * (errors.max() ?? 0), 1e-7)
        guard let new = errors.firstIndex(where: { $0 > threshold }) else { return nil }
        let attack = first + new
        return rises(at: attack) ? max(0, attack - Int(AttackPrediction.lead * rate)) : nil
    }

    /// Whether it is louder after a frame than before it, as a whole or in its treble: a note that is let go is
    /// something new too.
    private func rises(at frame: Int) -> Bool {
        let reach = Int(AttackPrediction.wave * rate)
        let before = powers(max(0, frame - reach)..<frame)
        let after = powers(frame..<min(samples.count, frame + reach))
        return after.level > AttackPrediction.leastRise * before.level
            || after.slope > AttackPrediction.leastRise * before.slope
    }

    /// The sums of the squares of samples and of their differences.
    private func powers(_ range: Range<Int>) -> (level: Float, slope: Float) {
        range.reduce(into: (level: Float(0), slope: Float(0))) { sums, frame in
            let difference = samples[frame] - (frame > 0 ? samples[frame - 1] : 0)
            sums.level += samples[frame] * samples[frame]
            sums.slope += difference * difference
        }
    }
}

/// A part of a sound's spectrum in which it is looked for attacks.
struct AttackBand {
    private let samples: [Float]
    private let rate: Double

    /// How far back it is looked for an attack, and on from there.
    private static let back = 0.05
    private static let onward = 0.01
    /// What is learnt from.
    private static let trainingSeconds = 0.04
    /// As many times the worst error of what is learnt from, or of the longest wave, is something new.
    private static let excess = 2.0
    /// An error that is so small beside the greatest one to come is not the attack yet.
    private static let leastShare = 0.002
    /// The longest wave: amplitudes are compared over as long.
    private static let wave = 0.025
    /// The latest errors are not yet compared with: of what rises slowly each would be little more than the last.
    private static let recent = 0.004
    /// An error this share of the greatest one may be a click: any other must last for most of the cells that follow.
    private static let clickShare = 0.25
    private static let cell = 0.001
    private static let cellCount = 6
    private static let leastRise: Float = 1.25

    init(_ samples: [Float], rate: Double) {
        self.samples = samples
        self.rate = rate
    }

    /// The first sample that those before don't say, and from which on it is louder, around an attack whose steepest
    /// rise is near `frame`.
    func find(near frame: Int, notBefore earliest: Int) -> Int? {
        let first = max(earliest, frame - Int(AttackBand.back * rate))
        let start = first - Int(AttackBand.trainingSeconds * rate)
        let end = min(samples.count, frame + Int(AttackBand.onward * rate))
        guard start >= 0, end > first else { return nil }
        let sound = samples[start..<end].map(Double.init)[...]
        let training = sound[..<(first - start)]
        guard training.count >= 2 * LinearPrediction.order else { return nil }
        let prediction = LinearPrediction(training)
        // What dies away is the better said the later it is: beside its last errors an attack stands out sooner.
        var last = SlidingMaximum(over: Int(AttackBand.wave * rate))
        var usual = 0.0
        for index in LinearPrediction.order..<training.count {
            let error = prediction.error(at: index, in: sound)
            usual = max(usual, error)
            last.add(error)
        }
        let errors = (training.count..<sound.count).map { prediction.error(at: $0, in: sound) }
        let greatest = errors.max() ?? 0
        let least = max(AttackBand.leastShare * greatest, 1e-7)
        let recent = Int(AttackBand.recent * rate)
        for (index, error) in errors.enumerated() {
            let expected = last.value
            if index >= recent { last.add(errors[index - recent]) }
            let isNew = error > max(AttackBand.excess * usual, least)
            if !isNew, error <= max(AttackBand.excess * expected, least) { continue }
            if error < AttackBand.clickShare * greatest, !lasts(errors[index...], above: expected) { continue }
            if rises(at: first + index) { return first + index }
            if isNew { return nil }
        }
        return nil
    }

    /// Whether errors exceed what was expected not at their beginning alone, as those of a crackle do.
    private func lasts(_ errors: ArraySlice<Double>, above expected: Double) -> Bool {
        let cell = max(1, Int(AttackBand.cell * rate))
        var (cells, exceeding) = (0, 0)
        for start in stride(from: errors.startIndex, to: errors.endIndex, by: cell).prefix(AttackBand.cellCount) {
            cells += 1
            if errors[start..<min(start + cell, errors.endIndex)].contains(where: { $0 > expected }) { exceeding += 1 }
        }
        return 2 * exceeding > cells
    }

    /// Whether it is louder after a frame than before it, as a whole or in its treble: a note that is let go is
    /// something new too.
    private func rises(at frame: Int) -> Bool {
        let reach = Int(AttackBand.wave * rate)
        let before = powers(max(0, frame - reach)..<frame)
        let after = powers(frame..<min(samples.count, frame + reach))
        return after.level > AttackBand.leastRise * before.level || after.slope > AttackBand.leastRise * before.slope
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

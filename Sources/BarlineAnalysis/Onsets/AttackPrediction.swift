/// Finds where a sound is no more what it would have gone on as: the first frame of an attack, where what sounds before
/// it rings on.
///
/// A low note's waves are longer than an attack, and its amplitude says late that another has begun on top of it. What
/// sounds can be said from what has sounded (``LinearPrediction``), and something new can't. Noise can't either: a drum
/// that begins under a shaker or a cymbal is new first in what lies below those.
struct AttackPrediction {
    private let whole: AttackBand
    /// What lies below about an eighth of the rate.
    private let low: AttackBand

    /// How much earlier than it is heard an attack is marked: early is harmless, late is not.
    private static let lead = 0.0004
    /// Samples of the whole for each of the low band.
    private static let reduction = 4

    private let leadFrames: Int

    init(_ samples: [Float], sampleRate: Double) {
        whole = AttackBand(samples, rate: sampleRate)
        low = AttackBand(
            AttackPrediction.lowered(samples), rate: sampleRate / Double(AttackPrediction.reduction))
        leadFrames = Int(AttackPrediction.lead * sampleRate)
    }

    /// Finds the first frame of an attack, or up to 0.4 ms before it.
    ///
    /// - Parameters:
    ///   - frame: where it rises most steeply.
    ///   - earliest: nothing before it is taken for the attack.
    ///   - start: where it begins by its amplitude: asked where nothing new is heard in the whole spectrum.
    /// - Returns: `nil` where there is none by either.
    func find(near frame: Int, notBefore earliest: Int, orAt start: () -> Int?) -> Int? {
        let whole = whole.find(near: frame, notBefore: earliest).map { max(0, $0 - leadFrames) }
        guard let found = whole ?? start() else { return nil }
        let reduction = AttackPrediction.reduction
        let place = low.find(near: frame / reduction, notBefore: (earliest + reduction - 1) / reduction)
        return min(found, place.map { max(0, $0 * reduction - leadFrames) } ?? found)
    }

    /// Every fourth sample of means over four, of means over four, twice more: so short that what begins is not heard
    /// much before it does.
    private static func lowered(_ samples: [Float]) -> [Float] {
        let passes = 4
        var smooth = samples
        for _ in 0..<passes {
            for index in smooth.indices.reversed() {
                var sum: Float = 0
                for place in max(0, index - reduction + 1)...index { sum += smooth[place] }
                smooth[index] = sum / Float(reduction)
            }
        }
        let delay = passes * (reduction - 1) / 2
        return stride(from: 0, to: samples.count, by: reduction).map { smooth[min(smooth.count - 1, $0 + delay)] }
    }
}

/// The networks' output, and its interpretation.
extension BeatActivity {
    /// What networks answered.
    ///
    /// - Parameters:
    ///   - answer: for every row of the sound.
    ///   - networks: those that gave it.
    ///   - count: how many values an envelope of the sound has.
    ///   - isLoop: whether the sound continues from its end at its start.
    init(_ answer: BeatEnsemble.Answer, of networks: BeatEnsemble, count: Int, isLoop: Bool) {
        beats = BeatActivity.spread(answer.beats, to: count, isLoop: isLoop)
        downbeats = BeatActivity.spread(answer.downbeats, to: count, isLoop: isLoop)
        tempoLevels = networks.tempoLevels(answer.pools, count: answer.beats.count)
    }

    /// The logarithm of the probability of a tempo near `bpm`; a low one outside the classes.
    func tempoLevel(near bpm: Double) -> Float {
        let position = BeatNetwork.tempoClass(of: bpm)
        guard position >= 0, position < Double(tempoLevels.count - 1) else { return BeatActivity.lowest }
        let index = Int(position)
        let part = Float(position - Double(index))
        let level = tempoLevels[index] + part * (tempoLevels[index + 1] - tempoLevels[index])
        return max(BeatActivity.lowest, level)
    }

    private static let lowest: Float = -14

    private static func spread(_ rows: [Float], to count: Int, isLoop: Bool) -> [Float] {
        guard let last = rows.last, let first = rows.first else { return Array(repeating: 0, count: count) }
        return (0..<count).map { index in
            let row = index / 2
            guard row < rows.count else { return isLoop ? first : last }
            guard index % 2 == 1 else { return rows[row] }
            let next = row + 1 < rows.count ? rows[row + 1] : isLoop ? first : last
            return 0.5 * (rows[row] + next)
        }
    }
}

// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            0.32855, -17.848, 1.9732, -1.4876, -4.3956, 2.2247, -1.0199, -0.31806, 3.7857, 0,
            3.2703, -0.92631, 1.4041, 1.6169,
        ],
        offset: 1.5855)
}

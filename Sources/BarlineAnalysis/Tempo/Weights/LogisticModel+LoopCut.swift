// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            -1.9269, -20.594, 3.6903, -3.802, -4.4247, 2.5073, 0.74204, 0.92591, 2.6238, 0,
            2.6076, -1.1153, 1.6085, 2.0267,
        ],
        offset: 1.9908)
}

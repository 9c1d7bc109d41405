// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            -4.063, -17.251, 2.4633, -3.4452, -2.1143, 3.2844, -0.45405, 1.6127, 1.3012, 0,
            2.5568, -1.3067, 1.4963, 1.1056,
        ],
        offset: 3.5076)
}

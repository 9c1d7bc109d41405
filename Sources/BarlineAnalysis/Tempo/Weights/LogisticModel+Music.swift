// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether there is a tempo at all.
    static let music = LogisticModel(
        weights: [
            3.5715, -3.6071, 1.1268, -2.5657, 0.91243, 2.0193, -0.29914, 0.19877, -0.090576, 0.19281,
            6.0054, 2.5971, -1.3605, 0.88963, 1.1986,
        ],
        offset: -8.0806)
}

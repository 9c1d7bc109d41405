// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether there is a tempo at all.
    static let music = LogisticModel(
        weights: [
            2.7143, 6.2523, -1.0766, -0.41837, 2.4813, -0.92025, 1.3274, -2.973, 0.1834, 1.3608,
            0.70064, 0.23477, -0.3431, 1.0031, 7.5791, 2.1844, 0.02355, -0.59207, 0.68239,
        ],
        offset: -19.161)
}

// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            -4.1904, -21.743, 2.3104, -1.3514, -4.3325, 2.8253, 4.454, 1.0682, 2.649, 0,
            2.0174, -1.2241, 1.158, 1.8649,
        ],
        offset: -0.6432)
}

// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            -2.8784, -14.526, 1.2118, -2.6291, -2.0843, 3.5747, -1.1059, 1.4346, 1.6406, 0,
            3.6529, -1.3586, 1.4174, 0.54552,
        ],
        offset: 3.1939)
}

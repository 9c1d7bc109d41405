// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a sound is cut on its beats.
    static let loopCut = LogisticModel(
        weights: [
            -1.5757, -19.045, 2.4111, -1.1731, -4.4127, 2.7144, 5.238, 1.6607, 2.2157, 0,
            3.5755, -1.2026, 1.2004, 1.8688,
        ],
        offset: -3.1508)
}

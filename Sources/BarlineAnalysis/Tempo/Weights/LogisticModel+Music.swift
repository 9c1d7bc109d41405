// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether there is a tempo at all.
    static let music = LogisticModel(
        weights: [
            2.5363, -2.5049, 2.3712, -0.48584, 2.8478, 1.1927, 0.40607, 0.3298, -0.016004, -0.75006,
            4.365, 2.7917, -2.9145, -0.037119, 1.2206,
        ],
        offset: -9.7355)
}

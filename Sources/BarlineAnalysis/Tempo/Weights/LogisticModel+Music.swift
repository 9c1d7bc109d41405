// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether there is a tempo at all.
    static let music = LogisticModel(
        weights: [
            1.0398, 5.6046, -0.58698, 0.015284, 2.5257, 0.81171, 1.6238, -1.4913, 1.5616, 1.2772,
            0.63335, 0.47994, -0.0022718, 0.30165, 6.1829, 1.7561, -0.80535, -1.9388, 0.81361,
        ],
        offset: -17.11)
}

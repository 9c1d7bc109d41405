// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether there is a tempo at all.
    static let music = LogisticModel(
        weights: [
            0.084042, 5.6858, -0.63291, 0.011273, 2.9899, 0.32425, 1.0555, -0.92414, 2.2552, -0.19265,
            0.5974, 0.38571, 0.06327, 1.533, 5.1887, 0.80368, -0.50859, -1.6609, 1.1936,
        ],
        offset: -17.347)
}

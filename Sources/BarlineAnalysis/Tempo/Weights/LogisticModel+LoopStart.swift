// Made by Benchmarks/Tempo/train.py; not to be edited.

extension LogisticModel {
    /// Whether a loop's first beat is on its first frame.
    static let loopStart = LogisticModel(
        weights: [
            1.0865, -0.057989, 0.21397, -0.3469, -1.189, 0.62806, 2.4454, 3.0744, 0.9556, 4.5393,
            -1.9583,
        ],
        offset: -1.3506)
}

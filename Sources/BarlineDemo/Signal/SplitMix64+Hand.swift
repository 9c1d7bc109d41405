import BarlineDSP
import BarlineFiles

/// The variation of notes and noises, in the same way in every render of the demo set.
extension SplitMix64 {
    /// Starts the sequence belonging to a name, so that no two loops share their human touch.
    init(name: String) { self.init(seed: FNV1a(name).value) }

    /// A value spread evenly over -1 ..< 1.
    mutating func bipolar() -> Double {
        Double(Int64(bitPattern: next()) >> 11) / 4_503_599_627_370_496
    }

    /// A value over -1 ..< 1 that favours the middle, which sounds more like a hand than an even spread does.
    mutating func centred() -> Double {
        (bipolar() + bipolar()) / 2
    }
}

/// A seeded generator, so that every render of the demo set is the same to the bit.
struct SplitMix64: Sendable {
    private var state: UInt64

    /// Starts the sequence belonging to `seed`.
    init(seed: UInt64) {
        state = seed
    }

    /// Starts the sequence belonging to a name, so that no two loops share their human touch.
    init(name: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        state = hash
    }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A value spread evenly over -1 ..< 1.
    mutating func bipolar() -> Double {
        Double(Int64(bitPattern: next()) >> 11) / 4_503_599_627_370_496
    }

    /// A value over -1 ..< 1 that favours the middle, which sounds more like a hand than an even spread does.
    mutating func centred() -> Double {
        (bipolar() + bipolar()) / 2
    }
}

/// A reproducible random number generator: the same seed gives the same numbers in every run (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
    /// The golden ratio's fraction in 64 bits, by which the state advances; also a default seed.
    @inlinable package static var increment: UInt64 { @_noLocks get { 0x9E37_79B9_7F4A_7C15 } }

    @usableFromInline var state: UInt64

    /// Starts the sequence of a seed.
    @inlinable @_noLocks
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @inlinable @_noLocks
    package mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next number, uniform over 0 ..< 1.
    @inlinable @_noLocks
    package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}

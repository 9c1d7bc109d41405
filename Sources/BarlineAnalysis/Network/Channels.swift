/// The activations of a layer of a ``BeatNetwork`` for one row: 32 numbers, one after the other, in parts that fit the
/// processor's registers.
struct Channels: Sendable {
    /// How many numbers there are.
    static let count = 32

    private(set) var parts: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)

    /// Zeros.
    init() { parts = (SIMD8(), SIMD8(), SIMD8(), SIMD8()) }

    /// As many numbers as there are.
    init(_ values: some Collection<Float>) {
        let values = Array(values)
        precondition(values.count == Channels.count, "a number for each channel")
        func part(_ index: Int) -> SIMD8<Float> { SIMD8(values[8 * index..<8 * index + 8]) }
        parts = (part(0), part(1), part(2), part(3))
    }

    /// The sum of all products with others.
    @inline(__always)
    func product(_ other: Channels) -> Float {
        let sum =
            parts.0 * other.parts.0 + parts.1 * other.parts.1 + parts.2 * other.parts.2 + parts.3 * other.parts.3
        let half = sum.lowHalf + sum.highHalf
        let quarter = half.lowHalf + half.highHalf
        return quarter.x + quarter.y
    }

    /// The same with zeros in place of what is below.
    @inline(__always)
    var rectified: Channels {
        var result = self
        result.parts.0.replace(with: 0, where: parts.0 .< 0)
        result.parts.1.replace(with: 0, where: parts.1 .< 0)
        result.parts.2.replace(with: 0, where: parts.2 .< 0)
        result.parts.3.replace(with: 0, where: parts.3 .< 0)
        return result
    }

    @inline(__always)
    static func += (left: inout Channels, right: Channels) {
        left.parts.0 += right.parts.0
        left.parts.1 += right.parts.1
        left.parts.2 += right.parts.2
        left.parts.3 += right.parts.3
    }

    @inline(__always)
    static func + (left: Channels, right: Channels) -> Channels {
        var sum = left
        sum += right
        return sum
    }

    /// Adds inputs times their weights.
    ///
    /// - Parameters:
    ///   - inputs: the inputs.
    ///   - count: how many there are.
    ///   - weights: by input, those of all channels.
    @inline(__always)
    mutating func add(_ inputs: UnsafePointer<Float>, count: Int, weights: UnsafeRawPointer) {
        let weights = weights.assumingMemoryBound(to: SIMD8<Float>.self)
        var (first, second, third, fourth) = parts
        for index in 0..<count {
            let input = SIMD8(repeating: inputs[index])
            first += weights[4 * index] * input
            second += weights[4 * index + 1] * input
            third += weights[4 * index + 2] * input
            fourth += weights[4 * index + 3] * input
        }
        parts = (first, second, third, fourth)
    }
}

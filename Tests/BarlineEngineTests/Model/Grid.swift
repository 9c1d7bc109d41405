import BarlineTime

/// A launch quantisation, as the model knows it.
enum Grid: Hashable, CustomStringConvertible {
    case none
    case note(Int, Int)
    case bars(Int)

    var quantization: Quantization {
        switch self {
        case .none: .none
        case .note(let numerator, let denominator):
            .note(numerator: Int32(numerator), denominator: Int32(denominator))
        case .bars(let count): .bars(Int32(count))
        }
    }

    var description: String {
        switch self {
        case .none: "none"
        case .note(let numerator, let denominator): "\(numerator)/\(denominator) beat"
        case .bars(let count): "\(count) bars"
        }
    }

    /// From a thirty-second note to eight bars, straight, triplet and dotted.
    static let all: [Grid] = [
        .none, .note(1, 8), .note(1, 4), .note(1, 2), .note(1, 1), .note(2, 1), .note(1, 6), .note(1, 3), .note(2, 3),
        .note(3, 8), .note(3, 4), .note(3, 2), .bars(1), .bars(2), .bars(4), .bars(8),
    ]
}

/// A point of a grid: a beat that stays where it is, or a bar line, which follows the metre.
enum Boundary: Hashable {
    case beat(Double)
    case bar(Int)

    func beat(in bars: ReferenceBars) -> Double {
        switch self {
        case .beat(let beat): beat
        case .bar(let bar): bars.line(bar)
        }
    }
}

extension Quantization: CustomStringConvertible {
    /// Every named value, from the finest to the coarsest.
    package static let named: [Quantization] = {
        let notes = ["1/32", "1/16", "1/8", "1/4", "1/2"].flatMap { [$0 + "t", $0, $0 + "."] }
        return (["none"] + notes + ["1 bar", "2 bars", "4 bars", "8 bars"]).compactMap(Quantization.init)
    }()

    /// Parses `none`, `1/32` … `1/2` (with `t` for triplet, `.` for dotted), `1 bar`, `2 bars`, `4 bars`, `8 bars`;
    /// `nil` for any other text.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init?(_ text: String) {
        switch text {
        case "none": self = .none
        case "1 bar": self = .bars(1)
        case "2 bars": self = .bars(2)
        case "4 bars": self = .bars(4)
        case "8 bars": self = .bars(8)
        default:
            guard let note = Quantization.noteValue(text) else { return nil }
            self = note
        }
    }

    private static func noteValue(_ text: String) -> Quantization? {
        var digits = text.dropFirst(2)
        guard text.hasPrefix("1/") else { return nil }
        var scale: (Int32, Int32) = (1, 1)
        if digits.last == "t" { scale = (2, 3) }
        if digits.last == "." { scale = (3, 2) }
        if scale != (1, 1) { digits = digits.dropLast() }
        guard let value = Int32(digits), [2, 4, 8, 16, 32].contains(value) else { return nil }
        let numerator = 4 * scale.0
        let denominator = value * scale.1
        let divisor = greatestCommonDivisor(numerator, denominator)
        return .note(numerator: numerator / divisor, denominator: denominator / divisor)
    }

    private static func greatestCommonDivisor(_ first: Int32, _ second: Int32) -> Int32 {
        second == 0 ? first : greatestCommonDivisor(second, first % second)
    }

    /// The name as used in session files; for a length that has no name there, the length.
    public var description: String {
        switch self {
        case .none: return "none"
        case .bars(let count): return count == 1 ? "1 bar" : "\(count) bars"
        case .note(let numerator, let denominator):
            guard numerator > 0, denominator > 0 else { return "\(numerator)/\(denominator) of a quarter note" }
            let (numerator, denominator) = (Int64(numerator), Int64(denominator))
            let straight = 4 * denominator
            if straight % numerator == 0, (straight / numerator).isPowerOfTwo { return "1/\(straight / numerator)" }
            let triplet = straight * 2
            if triplet % (3 * numerator) == 0, (triplet / (3 * numerator)).isPowerOfTwo {
                return "1/\(triplet / (3 * numerator))t"
            }
            let dotted = straight * 3
            if dotted % (2 * numerator) == 0, (dotted / (2 * numerator)).isPowerOfTwo {
                return "1/\(dotted / (2 * numerator))."
            }
            return "\(numerator)/\(denominator) of a quarter note"
        }
    }
}

extension Int64 {
    fileprivate var isPowerOfTwo: Bool { self > 0 && self & (self - 1) == 0 }
}

import BarlineTime

/// A position in a file as a fraction of seconds in lowest terms: exact, whatever the file's sample rate.
public struct SourceOffset: Hashable, Sendable {
    /// The numerator, 0 or more.
    public let units: Int64
    /// The denominator: units per second.
    public let unitsPerSecond: Int64

    private static let limit: Int64 = 1 << 60

    /// The first frame.
    public static let start = SourceOffset()

    /// Creates an offset of `units` fractions of a second, such as 75ths in cue sheets, or frames; `nil` if it is
    /// negative or too large, or `unitsPerSecond` is not positive.
    ///
    /// - Complexity: O(log *n*) in `unitsPerSecond`.
    public init?(units: Int64, per unitsPerSecond: Int64) {
        guard (0...SourceOffset.limit).contains(units), (1...1_000_000_000).contains(unitsPerSecond) else { return nil }
        var (divisor, rest) = (unitsPerSecond, units)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.units = units / divisor
        self.unitsPerSecond = unitsPerSecond / divisor
    }

    /// Parses an offset in decimal seconds, to the nanosecond; `nil` for anything but digits and a point.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init?(seconds text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1].prefix(9) : ""
        guard text.contains(where: \.isASCIIDigit), parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let whole = Int64(parts[0].isEmpty ? "0" : String(parts[0])), whole < 1_000_000_000,
            let part = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
        else { return nil }
        self.init(units: whole * 1_000_000_000 + part, per: 1_000_000_000)
    }

    private init() {
        units = 0
        unitsPerSecond = 1
    }

    /// The offset in seconds, rounded.
    public var seconds: Double { Double(units) / Double(unitsPerSecond) }

    /// The offset in frames at a sample rate of whole hertz, rounded half up.
    public func frame(at sampleRate: SampleRate) -> Int64 {
        let product = Int128(units) * Int128(sampleRate.hertz.rounded())
        let divisor = Int128(unitsPerSecond)
        return Int64(clamping: (2 * product + divisor) / (2 * divisor))
    }

    /// The offset in seconds, to the nanosecond, without zeros at the end.
    var decimalSeconds: String {
        let nanoseconds = (2 * Int128(units) * 1_000_000_000 + Int128(unitsPerSecond)) / (2 * Int128(unitsPerSecond))
        let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = String(part)
        var text = "\(whole)." + String(repeating: "0", count: 9 - digits.count) + digits
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension SourceOffset: Comparable {
    /// Whether `first` is before `second`.
    public static func < (first: SourceOffset, second: SourceOffset) -> Bool {
        Int128(first.units) * Int128(second.unitsPerSecond) < Int128(second.units) * Int128(first.unitsPerSecond)
    }
}

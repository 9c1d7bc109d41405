/// The description of a parameter of an effect: its name, its unit and its range.
public struct ParameterDescription: Hashable, Sendable {
    /// The name, as files and programs have it.
    public let name: String
    /// What the numbers count.
    public let unit: Unit
    /// What the value may be; of a choice, the numbers of its words.
    public let range: ClosedRange<Double>
    /// The value that it has at first.
    public let initialValue: Double

    /// The unit of a parameter's values.
    public enum Unit: Hashable, Sendable {
        /// Cycles a second. Ramps are straight on a logarithmic scale: equal intervals in equal times.
        case hertz
        /// A quality factor, on a logarithmic scale as well.
        case quality
        /// The number of one of these words, from 0.
        case choice([String])
    }

    /// Whether the value moves on a logarithmic scale.
    public var isLogarithmic: Bool {
        switch unit {
        case .hertz, .quality: true
        case .choice: false
        }
    }

    /// The words of a choice; none for numbers.
    public var words: [String] {
        if case .choice(let words) = unit { words } else { [] }
    }

    /// Whether `value` is in the range, and of a choice a whole number.
    public func allows(_ value: Double) -> Bool {
        range.contains(value) && (words.isEmpty || value == value.rounded())
    }

    /// A parameter that is a number.
    init(_ name: String, _ unit: Unit, in range: ClosedRange<Double>, initially value: Double) {
        self.name = name
        self.unit = unit
        self.range = range
        initialValue = value
    }

    /// A parameter that is one of some words, the first one initially.
    init(_ name: String, words: [String]) {
        self.init(name, .choice(words), in: 0...Double(words.count - 1), initially: 0)
    }
}

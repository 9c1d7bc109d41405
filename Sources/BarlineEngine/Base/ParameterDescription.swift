/// The description of a parameter of an effect: its names, its unit and its range.
public struct ParameterDescription: Hashable, Sendable {
    /// The name, as used in files and by programs.
    public let name: String
    /// The name, as shown to people.
    public let title: String
    /// The unit of the values.
    public let unit: Unit
    /// The range of the value; for a choice, the indices of its words.
    public let range: ClosedRange<Double>
    /// The initial value.
    public let initialValue: Double
    /// The words of a choice, as shown to people; empty for numbers.
    public let wordTitles: [String]

    /// The unit of a parameter's values.
    public enum Unit: Hashable, Sendable {
        /// Cycles per second. Ramps are straight on a logarithmic scale: equal intervals in equal times.
        case hertz
        /// A quality factor, also on a logarithmic scale.
        case quality
        /// An index into these words, from 0.
        case choice([String])
    }

    /// Whether the value moves on a logarithmic scale.
    public var isLogarithmic: Bool {
        switch unit {
        case .hertz, .quality: true
        case .choice: false
        }
    }

    /// The words of a choice; empty for numbers.
    public var words: [String] {
        if case .choice(let words) = unit { words } else { [] }
    }

    /// Whether `value` is in the range and, for a choice, a whole number.
    public func allows(_ value: Double) -> Bool {
        range.contains(value) && (words.isEmpty || value == value.rounded())
    }

    /// Creates a numeric parameter.
    init(
        _ name: String, titled title: String, _ unit: Unit, in range: ClosedRange<Double>, initially value: Double
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.range = range
        initialValue = value
        wordTitles = []
    }

    /// Creates a choice of words, the first one initially.
    init(_ name: String, titled title: String, words: [(word: String, title: String)]) {
        self.name = name
        self.title = title
        unit = .choice(words.map(\.word))
        range = 0...Double(words.count - 1)
        initialValue = 0
        wordTitles = words.map(\.title)
    }
}

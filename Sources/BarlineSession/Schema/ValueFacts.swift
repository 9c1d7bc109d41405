/// The facts about a value of JSON, for error texts, the OpenAPI schema, the tables of the documentation and
/// controllers.
package struct ValueFacts: Hashable, Sendable {
    /// The kinds of values; the raw values are those of JSON Schema.
    package enum Kind: String, Sendable {
        case text = "string"
        case flag = "boolean"
        case number
        case whole = "integer"
        case object
        case list = "array"
    }

    /// The kind of value.
    package let kind: Kind
    /// What an error says was expected.
    package let expected: String
    /// What a number may be, both ends included unless ``isAboveLowest``.
    package var range: ClosedRange<Double>?
    /// Whether a number must be above its range's lower end.
    package var isAboveLowest = false
    /// What an error says was expected in the place of a number above the range.
    package var expectedAtMost: String?
    /// What `null` means; `nil` where it is the same as no value.
    package var null: String?
    /// All texts that are allowed; empty where they have another rule, or none.
    package var words: [String] = []
    /// What a number counts.
    package var unit: String?
    /// The part of the range that a fader or knob of a controller usefully goes over.
    package var control: ClosedRange<Double>?
    /// Whether a controller goes over the range on a logarithmic scale, as ears do with frequencies.
    package var isLogarithmic = false
    /// The part of the document whose keys an object has.
    package var part: DocumentPart?
    /// Values that are allowed, for the documentation and for tests.
    package var examples: [JSONValue] = []

    init(_ kind: Kind, expected: String) {
        self.kind = kind
        self.expected = expected
    }

    /// Whether a number is within the range.
    func contains(_ number: Double) -> Bool {
        guard number.isFinite, kind != .whole || number == number.rounded() else { return false }
        guard let range else { return true }
        return range.contains(number) && !(isAboveLowest && number == range.lowerBound)
    }

    /// What is said of a number that is not within the range.
    func expected(for number: Double) -> String {
        guard let expectedAtMost, let range, number > range.upperBound else { return expected }
        return expectedAtMost
    }
}

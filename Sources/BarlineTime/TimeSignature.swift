/// A metre: the number and the note value of the pulses in a bar.
public struct TimeSignature: Hashable, Sendable, BitwiseCopyable {
    /// The number of pulses in a bar, 1 … 64.
    public let numerator: Int

    /// The note value of a pulse: 1, 2, 4, 8, 16 or 32.
    public let denominator: Int

    /// 4/4.
    public static let common = TimeSignature(unchecked: 4, 4)

    /// Creates a time signature, or `nil` if the numerator is not 1 … 64 or the denominator is not a note value.
    public init?(_ numerator: Int, _ denominator: Int) {
        guard (1...64).contains(numerator), [1, 2, 4, 8, 16, 32].contains(denominator) else { return nil }
        self.init(unchecked: numerator, denominator)
    }

    /// Parses a time signature such as `"7/8"`; `nil` for any other text.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) else { return nil }
        self.init(numerator, denominator)
    }

    @_noLocks @usableFromInline init(unchecked numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The length of a bar in quarter notes.
    @inlinable public var quartersPerBar: Double { @_noLocks get { Double(numerator) * quartersPerPulse } }

    /// The length of a pulse (the note value of the denominator) in quarter notes.
    @inlinable public var quartersPerPulse: Double { @_noLocks get { 4 / Double(denominator) } }
}

extension TimeSignature: CustomStringConvertible {
    /// The time signature as text.
    public var description: String { "\(numerator)/\(denominator)" }
}

extension TimeSignature: ExpressibleByStringLiteral {
    /// The time signature of a literal such as `"7/8"`. A literal that is none is a programming error.
    public init(stringLiteral text: String) {
        guard let signature = TimeSignature(text) else { preconditionFailure("\"\(text)\" is no time signature") }
        self = signature
    }
}

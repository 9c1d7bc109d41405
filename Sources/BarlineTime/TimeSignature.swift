/// A metre: how many notes of which value make a bar.
public struct TimeSignature: Hashable, Sendable, BitwiseCopyable {
    /// Pulses in a bar, 1 … 64.
    public let numerator: Int

    /// The note value of a pulse: 1, 2, 4, 8, 16 or 32.
    public let denominator: Int

    /// 4/4.
    public static let common = TimeSignature(unchecked: 4, 4)

    /// Creates a time signature, or `nil` where the numerator is not 1 … 64 or the denominator no note value.
    public init?(_ numerator: Int, _ denominator: Int) {
        guard (1...64).contains(numerator), [1, 2, 4, 8, 16, 32].contains(denominator) else { return nil }
        self.init(unchecked: numerator, denominator)
    }

    /// Reads `"7/8"`; `nil` where the text is anything else.
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
    /// The value in words.
    public var description: String { "\(numerator)/\(denominator)" }
}

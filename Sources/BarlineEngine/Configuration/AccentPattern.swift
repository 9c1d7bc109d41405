/// The accents of a metronome: which pulses of a bar are accented, played or silent.
///
/// Written as one character per pulse: `X` an accent, `x` a beat, `.` silence. In a bar with more pulses than the
/// pattern it repeats; every bar begins with its first character.
public struct AccentPattern: Hashable, Sendable, BitwiseCopyable {
    /// The kind of a pulse.
    public enum Pulse: Hashable, Sendable, BitwiseCopyable {
        /// Played with the accent click.
        case accent
        /// Played with the beat click.
        case beat
        /// Not played, and neither are its subdivisions.
        case silent
    }

    /// An accent on the first pulse of every bar, whatever its length.
    public static let downbeat = AccentPattern()

    /// The number of pulses in the pattern, at most 64; 0 for ``downbeat``.
    public let count: Int
    private let accents: UInt64
    private let beats: UInt64

    @_noLocks init() {
        count = 0
        accents = 0
        beats = 0
    }

    /// Parses a pattern such as `"X.x."`; `nil` if the text is empty, longer than 64 or holds other characters.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init?(_ text: String) {
        guard (1...64).contains(text.count) else { return nil }
        var accents: UInt64 = 0
        var beats: UInt64 = 0
        for (index, character) in text.enumerated() {
            switch character {
            case "X": accents |= 1 << index
            case "x": beats |= 1 << index
            case ".": break
            default: return nil
            }
        }
        count = text.count
        self.accents = accents
        self.beats = beats
    }

    /// The kind of the pulse `index`, counted from 0 at the bar line.
    @_noLocks func pulse(_ index: Int) -> Pulse {
        if count == 0 { return index == 0 ? .accent : .beat }
        let bit: UInt64 = 1 << UInt64(index % count)
        if accents & bit != 0 { return .accent }
        return beats & bit != 0 ? .beat : .silent
    }
}

extension AccentPattern: ExpressibleByStringLiteral {
    /// The pattern of a literal such as `"X.x."`. A literal that is none is a programming error.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init(stringLiteral text: String) {
        guard let pattern = AccentPattern(text) else { preconditionFailure("\"\(text)\" is no accent pattern") }
        self = pattern
    }
}

extension AccentPattern: CustomStringConvertible {
    /// The pattern in its text form; empty for ``downbeat``.
    ///
    /// - Complexity: O(*n*) in the pulses, at most 64.
    public var description: String {
        (0..<count).map { index in
            switch pulse(index) {
            case .accent: "X"
            case .beat: "x"
            case .silent: "."
            }
        }.joined()
    }
}

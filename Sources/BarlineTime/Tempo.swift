/// A tempo in quarter notes per minute, always within ``range``.
public struct Tempo: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The range of tempi, in BPM.
    public static let range: ClosedRange<Double> = slowest...fastest

    @usableFromInline static var slowest: Double { @_noLocks get { 20 } }
    @usableFromInline static var fastest: Double { @_noLocks get { 999 } }
    /// The tempo in BPM where none is given.
    @usableFromInline static var usual: Double { @_noLocks get { 120 } }

    /// Quarter notes per minute.
    public let beatsPerMinute: Double

    /// 120 BPM.
    public static let standard = Tempo(clamping: usual)

    /// Creates a tempo, or `nil` if `beatsPerMinute` is outside ``range`` or NaN.
    public init?(_ beatsPerMinute: Double) {
        guard Tempo.range.contains(beatsPerMinute) else { return nil }
        self.beatsPerMinute = beatsPerMinute
    }

    /// Creates the tempo nearest to `beatsPerMinute` that is within ``range``; NaN becomes 120.
    ///
    /// Compare ``beatsPerMinute`` with the argument to find out whether it was clamped.
    @_noLocks @inlinable public init(clamping beatsPerMinute: Double) {
        if beatsPerMinute != beatsPerMinute {
            self.beatsPerMinute = Tempo.usual
        } else if beatsPerMinute < Tempo.slowest {
            self.beatsPerMinute = Tempo.slowest
        } else if beatsPerMinute > Tempo.fastest {
            self.beatsPerMinute = Tempo.fastest
        } else {
            self.beatsPerMinute = beatsPerMinute
        }
    }

    /// Whether `left` is smaller.
    @_noLocks @inlinable public static func < (left: Tempo, right: Tempo) -> Bool {
        left.beatsPerMinute < right.beatsPerMinute
    }
}

extension Tempo: CustomStringConvertible {
    /// The tempo as text.
    public var description: String { "\(beatsPerMinute) BPM" }
}

extension Tempo: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// The tempo of `beatsPerMinute`, or the nearest one within ``range``.
    public init(floatLiteral beatsPerMinute: Double) { self.init(clamping: beatsPerMinute) }

    /// The tempo of `beatsPerMinute`, or the nearest one within ``range``.
    public init(integerLiteral beatsPerMinute: Int) { self.init(clamping: Double(beatsPerMinute)) }
}

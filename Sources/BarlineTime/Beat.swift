/// A point in musical time: quarter notes since the grid's origin.
///
/// Beat 0 is the first bar line; a count-in has negative beats. The difference of two beats is a plain
/// `Double` number of quarter notes.
public struct Beat: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Quarter notes since the grid's origin.
    public let rawValue: Double

    /// The grid's origin.
    public static let zero = Beat(rawValue: 0)

    /// The tolerance for rounding errors, in quarter notes: beats that are no further apart are equal.
    @usableFromInline package static var tolerance: Double { @_noLocks @inlinable get { 1e-9 } }

    /// Creates the point `rawValue` quarter notes after the grid's origin.
    @_noLocks @inlinable public init(rawValue: Double) { self.rawValue = rawValue }

    /// Creates the point `quarters` quarter notes after the grid's origin.
    @_noLocks @inlinable public init(_ quarters: Double) { rawValue = quarters }

    // The defaults are generic functions, which the audio thread may not call.
    /// Whether both are the same point.
    @_noLocks @inlinable public static func == (left: Beat, right: Beat) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether `left` is smaller.
    @_noLocks @inlinable public static func < (left: Beat, right: Beat) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Whether `left` is not larger.
    @_noLocks @inlinable public static func <= (left: Beat, right: Beat) -> Bool {
        left.rawValue <= right.rawValue
    }

    /// Whether `left` is larger.
    @_noLocks @inlinable public static func > (left: Beat, right: Beat) -> Bool {
        left.rawValue > right.rawValue
    }

    /// Whether `left` is not smaller.
    @_noLocks @inlinable public static func >= (left: Beat, right: Beat) -> Bool {
        left.rawValue >= right.rawValue
    }

    /// The point `quarters` quarter notes later.
    @_noLocks @inlinable public static func + (beat: Beat, quarters: Double) -> Beat {
        Beat(rawValue: beat.rawValue + quarters)
    }

    /// The point `quarters` quarter notes earlier.
    @_noLocks @inlinable public static func - (beat: Beat, quarters: Double) -> Beat {
        Beat(rawValue: beat.rawValue - quarters)
    }

    /// The number of quarter notes from `right` to `left`.
    @_noLocks @inlinable public static func - (left: Beat, right: Beat) -> Double { left.rawValue - right.rawValue }
}

extension Beat: CustomStringConvertible {
    /// The beat as text.
    public var description: String { "beat \(rawValue)" }
}

import CRealtime

/// A position in a source, or a step through one: source frames with 64 fractional bits.
///
/// Positions are computed as `anchor + elapsed × step` in integers, which is exact: after 24 hours the only error is
/// that of the step itself, below 2⁻³⁰ frame. A `Double` would have a resolution of 10⁻⁶ frame by then.
public struct SourcePosition: Hashable, Sendable, BitwiseCopyable {
    /// Source frames times 2⁶⁴.
    public let rawValue: Int128

    /// Creates the position of `rawValue` · 2⁻⁶⁴ source frames.
    @_noLocks @inlinable public init(rawValue: Int128) { self.rawValue = rawValue }

    /// Creates the position of `frames` source frames to the precision of a `Double`.
    @_noLocks @inlinable public init(_ frames: Double) {
        let whole = rt_floor(frames)
        // Within rounding error below a whole number, the difference rounds up to 1.
        let part = (frames - whole) * 0x1p64
        rawValue = Int128(Int64(whole)) << 64 + (part < 0x1p64 ? Int128(UInt64(part)) : 1 << 64)
    }

    /// Creates a position of `frames` source frames on a grid of 2⁻²⁰ frame, so that rounding errors do not make a
    /// whole frame fractional.
    @_noLocks @inlinable package init(snapping frames: Double) {
        self.init(rt_floor(frames * 0x1p20 + 0.5) * 0x1p-20)
    }

    /// The whole frames at or before the position.
    @inlinable public var whole: Int64 { @_noLocks get { Int64(truncatingIfNeeded: rawValue >> 64) } }

    /// The fractional part, in 2⁻⁶⁴ frame.
    @inlinable public var fraction: UInt64 { @_noLocks get { UInt64(truncatingIfNeeded: rawValue) } }

    /// The position in frames to the precision of a `Double`.
    @inlinable public var frames: Double { @_noLocks get { Double(whole) + Double(fraction) * 0x1p-64 } }

    /// The position after `count` steps of `step`.
    @_noLocks @inlinable public func advanced(by step: SourcePosition, times count: Int64) -> SourcePosition {
        SourcePosition(rawValue: rawValue &+ step.rawValue &* Int128(count))
    }
}

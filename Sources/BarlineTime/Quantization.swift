import CRealtime

/// The grid on which launches and stops are quantised.
public enum Quantization: Hashable, Sendable, BitwiseCopyable {
    /// No quantisation: at once.
    case none
    /// Every `numerator / denominator` quarter notes since the grid's origin.
    case note(numerator: Int32, denominator: Int32)
    /// Every given number of bars since the grid's origin.
    case bars(Int32)

    /// Every bar.
    public static let bar = Quantization.bars(1)

    /// The length of a period in quarter notes in the metre `timeSignature`; 0 for ``none``.
    @_noLocks @inlinable public func quarters(in timeSignature: TimeSignature) -> Double {
        switch self {
        case .none: 0
        case .note(let numerator, let denominator): Double(numerator) / Double(denominator)
        case .bars(let count): Double(count) * timeSignature.quartersPerBar
        }
    }

    /// The number of periods since the grid's origin at `beat`; 0 for ``none``.
    @_noLocks @inlinable package func periods(at beat: Beat, metre: borrowing MetreMap) -> Double {
        switch self {
        case .none: 0
        case .note(let numerator, let denominator): beat.rawValue * Double(denominator) / Double(numerator)
        case .bars(let count): metre.bars(at: beat) / Double(count)
        }
    }

    /// Boundary number `index` of the grid; the origin for ``none``.
    @_noLocks @inlinable package func boundary(_ index: Int64) -> GridPoint {
        switch self {
        case .none: .beat(Beat(rawValue: 0))
        case .note(let numerator, let denominator):
            .beat(Beat(Double(index) * Double(numerator) / Double(denominator)))
        case .bars(let count): .bar(index * Int64(count))
        }
    }
}

/// A point on the grid to wait for. A bar line moves when the metre changes before it; a beat does not.
@usableFromInline package enum GridPoint: Hashable, Sendable, BitwiseCopyable {
    /// A beat.
    case beat(Beat)
    /// The line of a bar, counted from 0 at the grid's origin.
    case bar(Int64)

    /// The point's beat under `metre`.
    @_noLocks @inlinable package func beat(in metre: borrowing MetreMap) -> Beat {
        switch self {
        case .beat(let beat): beat
        case .bar(let bar): metre.beat(ofBar: bar)
        }
    }
}

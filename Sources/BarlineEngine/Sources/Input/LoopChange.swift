import BarlineTime

/// A change of a whole loop.
public enum LoopChange: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Plays it backwards.
    case reverse
    /// Plays it at half its speed, an octave lower, twice as long.
    case halfSpeed
    /// Plays it at twice its speed, an octave higher, half as long.
    case doubleSpeed
    /// Repeats it once, to be overdubbed as a longer loop.
    case multiply
    /// Appends silence of the same length.
    case insert

    /// A number that stands for it where no enumeration can be stored.
    var number: Int {
        @_noLocks get {
            switch self {
            case .reverse: 0
            case .halfSpeed: 1
            case .doubleSpeed: 2
            case .multiply: 3
            case .insert: 4
            }
        }
    }

    /// The factor by which the change multiplies the loop's length.
    var lengthFactor: Double {
        @_noLocks get {
            switch self {
            case .reverse: 1
            case .halfSpeed, .multiply, .insert: 2
            case .doubleSpeed: 0.5
            }
        }
    }
}

/// A requested change of a loop.
struct LoopChangePlan: BitwiseCopyable, Sendable {
    let change: LoopChange
    /// Whether it specifies a grid of its own.
    let hasGrid: Bool
    let grid: Quantization
}

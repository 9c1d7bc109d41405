import BarlineTime

/// What can be done to a loop as a whole.
public enum LoopChange: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// It is played backwards.
    case reverse
    /// It is played at half its speed, an octave lower, and takes twice as long.
    case halfSpeed
    /// It is played at twice its speed, an octave higher, and takes half as long.
    case doubleSpeed
    /// It is there twice, one after the other, to be recorded over as a longer loop.
    case multiply
    /// Silence as long as it is follows it.
    case insert

    /// How many times as long the loop is from then on.
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

/// A change of a loop that is asked for.
struct LoopChangePlan: BitwiseCopyable, Sendable {
    let change: LoopChange
    /// Whether it has a grid of its own.
    let hasGrid: Bool
    let grid: Quantization
}

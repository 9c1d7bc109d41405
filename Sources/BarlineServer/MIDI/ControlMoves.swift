import BarlineSession

/// The controls that were moved in what has come at once, each with its last move.
///
/// A controller may send more moves than the engine's queue has room for. If each was sent on, those that the queue
/// refuses would be the last ones, and the fader would stay where it was on its way.
struct ControlMoves {
    /// A control of a controller.
    struct Control: Hashable {
        /// The first byte of its messages: their kind and channel.
        let status: UInt8
        let number: Int
    }

    private var moves: [Control: (order: Int, action: ControlAction)] = [:]
    private var count = 0

    /// A control is moved, for the last time so far.
    ///
    /// - Complexity: O(1), amortised.
    mutating func add(_ action: ControlAction, of control: Control) {
        moves[control] = (count, action)
        count += 1
    }

    /// The last move of each control, in the order in which they were made.
    ///
    /// - Complexity: O(*n* log *n*) for *n* controls.
    var latest: [ControlAction] { moves.values.sorted { $0.order < $1.order }.map(\.action) }
}

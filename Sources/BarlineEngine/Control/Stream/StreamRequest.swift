import BarlineTime

/// Something that was asked of a player: it waits for what it needs, and those that wait are done in their order.
struct StreamRequest<Kind> {
    let kind: Kind
    var moment: (any Moment)?
    /// Is called with the command that it became.
    var sent: @Sendable (CommandID) -> Void = { _ in }
}

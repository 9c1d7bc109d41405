import BarlineTime

/// A request to a player, which waits for the data it needs; requests are served in order.
struct StreamRequest<Kind> {
    let kind: Kind
    var moment: (any Moment)?
    /// Called with the command that was sent for it.
    var sent: @Sendable (CommandID) -> Void = { _ in }
}

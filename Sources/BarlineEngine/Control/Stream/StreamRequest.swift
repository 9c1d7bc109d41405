import BarlineTime

/// A request to a player, which waits for the data it needs; requests are served in order.
struct StreamRequest<Kind> {
    let kind: Kind
    /// When it takes effect: a moment that the engine accepts unless its queue is full.
    let moment: (any Moment)?
    /// Called with the command that was sent for it.
    let sent: @Sendable (CommandID) -> Void

    /// Creates a request for `moment`, or the nearest one that a command may be scheduled for.
    init(kind: Kind, moment: (any Moment)?, sent: @escaping @Sendable (CommandID) -> Void = { _ in }) {
        self.kind = kind
        self.moment = moment.map(Engine.nearestMoment(to:))
        self.sent = sent
    }
}

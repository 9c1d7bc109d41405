import BarlineTime

/// A request to a player, which waits for the data it needs; requests are served in order.
struct StreamRequest<Kind> {
    let kind: Kind
    /// When, among the moments that a command may be for: nothing but a full queue keeps the engine from taking it.
    let moment: (any Moment)?
    /// Is called with the command that it became.
    let sent: @Sendable (CommandID) -> Void

    /// A request for `moment`, or the nearest one that a command may be for.
    init(kind: Kind, moment: (any Moment)?, sent: @escaping @Sendable (CommandID) -> Void = { _ in }) {
        self.kind = kind
        self.moment = moment.map(Engine.nearestMoment(to:))
        self.sent = sent
    }
}

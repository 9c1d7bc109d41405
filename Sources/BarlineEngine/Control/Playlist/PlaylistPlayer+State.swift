import BarlineTime

extension PlaylistPlayer {
    /// The control side's state.
    struct State {
        var queue: PlaylistQueue
        var items: [PlaylistItemID: PlannedItem] = [:]
        var settings = PlaylistSettings()
        var requests: [Request] = []
        /// The feed of the deck that plays, or is going to.
        var active: PlaylistFeed?
        /// The feed of the deck that was sent to take over from it.
        var next: PlaylistFeed?
        /// The feed of the deck that is filled.
        var building: PlaylistFeed?
        /// What plays until what was asked for takes its place.
        var leaving: PlaylistFeed?
        /// Feeds of decks that were never sent and are not wanted any more, as long as they read.
        var discarded: [PlaylistFeed] = []
        /// Feeds of decks that the audio thread gives back, as long as they read: nothing else may be written there.
        var former: [PlaylistFeed] = []
        /// Whether what is written ahead is to be written anew, and every deck is still heard.
        var lacksDeck = false
        /// The playing that is under way.
        var turn = 0
        var lastTurn = 0
        /// Where the current item was entered.
        var startSeconds = 0.0
        /// Where the current item was last to go on in another version, which is not heard yet.
        var exchange: PlaylistExchange?
        /// Counts edits, and what has gone wrong with items.
        var revision = 0
        var contents = 0
        var failures: [PlaylistItemID: String] = [:]
        private var plan: [PlaylistItemID]?

        init(queue: PlaylistQueue) { self.queue = queue }

        /// How many items are planned. More than fit ahead, however short.
        static let planned = PlaylistDeck.markCapacity + 4

        /// The current item and those that follow it.
        mutating func upcoming() -> [PlaylistItemID] {
            if let plan { return plan }
            let made = [queue.current].compactMap { $0 } + queue.upcoming(State.planned)
            plan = made
            return made
        }

        /// To be called after every change of the queue.
        mutating func forgetPlan() { plan = nil }

        /// What a feed opens next.
        mutating func next(for feed: PlaylistFeed) -> PlaylistFeed.Next {
            if feed === leaving || !(feed === active || feed === next || feed === building) { return .undecided }
            let plan = upcoming()
            let number = feed.lastTurn.map { $0 + 1 } ?? turn
            let index = number - turn
            guard index >= 0 else { return .undecided }
            if index >= plan.count { return plan.count > State.planned ? .undecided : .end }
            guard let planned = items[plan[index]] else { return .undecided }
            lastTurn = max(lastTurn, number)
            return .item(planned, turn: number)
        }

        /// The turn at which a feed's segments are not what is planned any more; `nil` where they are.
        mutating func firstDifference(of feed: PlaylistFeed) -> Int? {
            let plan = upcoming()
            let segments = feed.segments(from: turn)
            for (item, segment) in zip(plan, segments) where items[item].map(segment.matches) != true {
                return segment.turn
            }
            if segments.count > plan.count { return turn + plan.count }
            if feed.stateAfterEnd != nil, plan.count > segments.count { return turn + segments.count }
            return nil
        }

        mutating func discardBuilding() {
            building?.cancel()
            if let building { discarded.append(building) }
            building = nil
        }

        /// Goes on without a feed whose deck was sent, or with another one in its place.
        mutating func replace(
            _ place: WritableKeyPath<State, PlaylistFeed?>, with other: PlaylistFeed? = nil
        ) {
            if let feed = self[keyPath: place], feed !== other {
                feed.cancel()
                former.append(feed)
            }
            self[keyPath: place] = other
        }

        /// What plays is left as soon as what was asked for takes its place.
        mutating func leaveActive() {
            if let active {
                self.active = nil
                replace(\.leaving, with: active)
            }
            replace(\.next)
        }

        /// Claims a free deck.
        mutating func takeDeck(of decks: StreamDecks.Writers) -> Int? {
            former.removeAll { !$0.isBusy }
            return decks.takeIdle { deck in !former.contains { $0.deck == deck } }
        }
    }

    /// Something that was asked for.
    enum RequestKind {
        case play
        case pause
        case stop
        /// To play the current item from `seconds` on.
        case start(seconds: Double, plays: Bool, isSameTurn: Bool, crossfades: Bool)
    }

    typealias Request = StreamRequest<RequestKind>
}

extension StreamRequest<PlaylistPlayer.RequestKind> {
    var isStart: Bool {
        if case .start = kind { return true }
        return false
    }
}

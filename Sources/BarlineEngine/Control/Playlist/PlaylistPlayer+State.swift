import BarlineTime

extension PlaylistPlayer {
    /// The control side's state.
    struct State {
        var queue: PlaylistQueue
        var items: [PlaylistItemID: PlannedItem] = [:]
        var settings: PlaylistSettings
        var requests: [Request] = []
        /// The feed of the deck that plays, or is about to.
        var active: PlaylistFeed?
        /// The feed of the deck that was sent to take over from it.
        var next: PlaylistFeed?
        /// The feed of the deck that is being filled.
        var building: PlaylistFeed?
        /// The feed of the deck that plays until a requested start replaces it.
        var leaving: PlaylistFeed?
        /// The number of frames that it fades out over then: they are read before the start is sent.
        var leavingFrames: Int64 = 0
        /// Since when a start waits for these alone.
        var waitingSince: HostTime?
        /// Feeds of decks that were discarded before they were sent, as long as they still read.
        var discarded: [PlaylistFeed] = []
        /// Feeds of decks that the audio thread returns, as long as they still read: the deck can't be refilled
        /// before.
        var former: [PlaylistFeed] = []
        /// Whether prefetched audio must be rendered again, and every deck is still in use.
        var lacksDeck = false
        /// The current play number.
        var playNumber = 0
        var lastPlayNumber = 0
        /// What is asked for later, in the order in which it was asked for.
        var scheduled: [ScheduledRequest] = []
        /// What was decided last of it, until it is heard.
        var decided: DecidedRequest?
        /// The number of the start that was sent last.
        var startCount = 0
        /// The start that was sent last, of those that were not taken back.
        var sentStart = Playlist.StartNumber()
        /// The command by which the latest start that is no version was sent.
        var sentCommand: CommandID?
        /// Called where a start was taken back, and what it was for is sent as another command.
        var resent: @Sendable (CommandID, CommandID) -> Void = { _, _ in }
        /// What was asked for with it, where that was for a moment.
        var sentRequest: Request?
        /// The frame for which it was sent, where it was another version of what plays.
        var sentVersion: FrameTime?
        /// How often the list had come to its end when the active feed was heard last.
        var endCount: Int64 = 0
        /// The frame on which the active feed's deck was seen to be given back without an end of the list.
        var releasedFrame: FrameTime?
        /// The position at which the current item was entered.
        var startSeconds = 0.0
        /// The play number of what ends in the version in which it is heard, whatever its item is by now.
        var endingPlay = -1
        /// How many times longer what each deck plays of the current item is than that was at first.
        var lengths = [Double](repeating: 1, count: PlaylistDecks.count)
        /// The versions of the current item that were sent and not heard when it was looked last, in their order.
        var versions: [SentVersion] = []
        /// Who asked for a version while another one was on its way.
        var postponed: PostponedVersion?
        /// In which versions a start that waits is to begin its item, other than when it was asked for.
        var restarted: RestartedVersion?
        /// Who is told of the version that was asked for last.
        var versionSent: (@Sendable (CommandID, FrameTime?) -> Void)?
        /// Counts edits and failures of items.
        var revision = 0
        var contents = 0
        var failures: [PlaylistItemID: String] = [:]
        private var plan: [PlaylistItemID]?

        init(queue: PlaylistQueue, settings: PlaylistSettings) {
            self.queue = queue
            self.settings = settings
        }

        /// The number of items planned: more than can be prefetched, however short.
        static let planned = PlaylistDeck.markCapacity + 4

        /// Whether the invariants hold: the items are those of the queue, a deck that takes over has one to take over
        /// from, decks in use are different ones, and no feed in use was discarded. O(feeds).
        func checkInvariants() -> Bool {
            guard items.count == queue.items.count, playNumber <= lastPlayNumber else { return false }
            if let current = queue.current, items[current] == nil { return false }
            if next != nil, active == nil { return false }
            let used = [active, next, building].compactMap { $0 }
            let left = discarded + former
            return Set(used.map(\.deck)).count == used.count
                && !used.contains { feed in left.contains { $0 === feed } }
        }

        /// The current item and those that follow it.
        mutating func upcoming() -> [PlaylistItemID] {
            if let plan { return plan }
            let made = [queue.current].compactMap { $0 } + queue.upcoming(State.planned)
            plan = made
            return made
        }

        /// Changes the queue as playing does, and forgets the items that this has consumed.
        @discardableResult
        mutating func play<Result>(_ change: (inout PlaylistQueue) -> Result) -> Result {
            let played = queue.current
            let result = change(&queue)
            if queue.items.count < items.count, let played, queue.index(of: played) == nil { items[played] = nil }
            return result
        }

        /// Invalidates the plan; to be called after every change of the queue.
        mutating func forgetPlan() { plan = nil }

        /// The item that a feed opens next.
        mutating func next(for feed: PlaylistFeed) -> PlaylistFeed.Next {
            if feed === leaving || !(feed === active || feed === next || feed === building) { return .undecided }
            let plan = upcoming()
            let number = feed.lastPlayNumber.map { $0 + 1 } ?? playNumber
            let index = number - playNumber
            guard index >= 0 else { return .undecided }
            if index >= plan.count { return plan.count > State.planned ? .undecided : .end }
            if queue.modes.repeat != .off, feed.skipped >= queue.items.count { return .nothing }
            guard let planned = items[plan[index]] else { return .undecided }
            lastPlayNumber = max(lastPlayNumber, number)
            return .item(planned, playNumber: number)
        }

        /// The first play number at which a feed's segments deviate from the plan; `nil` if they all match.
        mutating func firstDifference(of feed: PlaylistFeed) -> Int? {
            let plan = upcoming()
            let segments = feed.segments(from: playNumber)
            for (item, segment) in zip(plan, segments) where items[item].map(segment.matches) != true {
                let isLeft = segment.playNumber == endingPlay || postponed != nil && segment.playNumber == playNumber
                if isLeft, segment.item == item { continue }
                return segment.playNumber
            }
            if segments.count > plan.count { return playNumber + plan.count }
            if feed.stateAfterEnd != nil, !feed.hasGivenUp, plan.count > segments.count {
                return playNumber + segments.count
            }
            return nil
        }

        /// Notes that a start which waits begins its item in another version than it was to, which is `slower` times longer,
        /// and who is told of it besides those of versions before.
        mutating func noteRestart(slower: Double, _ sent: (@Sendable (CommandID, FrameTime?) -> Void)?) {
            guard let sent, let item = queue.current else { return }
            let former = restarted?.version.item == item ? restarted : nil
            let version = PostponedVersion(item: item) { command, frame in
                former?.version.sent(command, frame)
                sent(command, frame)
            }
            restarted = RestartedVersion(version: version, slower: (former?.slower ?? 1) * slower)
        }

        /// A start was sent, and those are told with it who asked for the version in which it begins its item.
        mutating func tellRestart() {
            guard let restarted else { return }
            if let requests = decided?.requests {
                decided?.requests = requests.map { $0.before(restarted.version.item, slower: restarted.slower) }
            }
            self.restarted = nil
        }

        /// Has the start that was asked for last begin `slower` times as far in its item.
        mutating func scaleStart(slower: Double) {
            guard let index = requests.lastIndex(where: \.isStart),
                case .start(let seconds, let plays, let isSamePlay, let crossfades) = requests[index].kind
            else { return }
            let (moment, sent) = (requests[index].moment, requests[index].sent)
            requests[index] = Request(
                kind: .start(
                    seconds: seconds * slower, plays: plays, isSamePlay: isSamePlay, crossfades: crossfades),
                moment: moment, sent: sent)
        }

        mutating func discardBuilding() {
            building?.cancel()
            if let building { discarded.append(building) }
            building = nil
        }

        /// Drops a feed whose deck was sent, or replaces it with another one.
        mutating func replace(
            _ place: WritableKeyPath<State, PlaylistFeed?>, with other: PlaylistFeed? = nil
        ) {
            if let feed = self[keyPath: place], feed !== other {
                feed.cancel()
                former.append(feed)
            }
            self[keyPath: place] = other
        }

        /// Leaves the active feed, which plays until the requested start replaces it.
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

    /// The kind of a request to the player.
    enum RequestKind {
        case play
        case pause
        case stop
        /// Plays the current item from `seconds` on.
        case start(seconds: Double, plays: Bool, isSamePlay: Bool, crossfades: Bool)
        /// Goes on with another version of the current item, from its `seconds` on, unless the list was paused or
        /// played on since it had been so often; −1 for whenever that is.
        case resume(seconds: Double, pauseCount: Int64)
        /// Nothing is done, but known when it is due.
        case note
    }

    typealias Request = StreamRequest<RequestKind>
}

extension PlaylistPlayer.RequestKind {
    /// What the engine does for one that needs no deck.
    var action: EngineAction {
        switch self {
        case .play: .playlist(.play)
        case .pause: .playlist(.pause)
        case .note: .playlist(.cancelStart(start: .min, deck: 0))
        case .stop, .start, .resume: .playlist(.stop)
        }
    }
}

extension StreamRequest<PlaylistPlayer.RequestKind> {
    /// Whether it is for a deck that is to be filled.
    var isStart: Bool {
        switch kind {
        case .start, .resume: true
        case .play, .pause, .stop, .note: false
        }
    }

    /// Whether it is only to be known when it is due.
    var isNote: Bool {
        if case .note = kind { return true }
        return false
    }

    /// The position at which a start begins, in seconds.
    var startSeconds: Double? {
        switch kind {
        case .start(let seconds, _, _, _), .resume(let seconds, _): seconds
        case .play, .pause, .stop, .note: nil
        }
    }

    /// Whether a start is within what plays, and not another time that an item plays.
    var isSamePlay: Bool {
        switch kind {
        case .start(_, _, let isSamePlay, _): isSamePlay
        case .resume: true
        case .play, .pause, .stop, .note: false
        }
    }

    /// Whether it continues with another version of what plays.
    var isVersion: Bool {
        if case .resume = kind { return true }
        return false
    }
}

import BarlineDSP
import BarlineTime
import Foundation
import Synchronization

/// A playlist on an engine: gapless, or crossfaded, and edited while it plays.
///
/// What plays is written seconds ahead. An edit keeps of it what still holds, and only that: what follows is written
/// anew beside it, and takes over on the first frame that differs. What sounds is never touched, unless it is removed.
///
/// ```swift
/// let engine = Engine(EngineConfiguration(playlistSeconds: 10))
/// let player = try PlaylistPlayer(on: engine)
/// try player.insert([PlaylistItem(id: PlaylistItemID(1), source: file)], at: 0)
/// player.play()
/// ```
public final class PlaylistPlayer: StreamPlayer, FedPlayer, @unchecked Sendable {
    let engine: Engine
    let log: @Sendable (PlaylistLogEntry) -> Void
    let control: ControlLock<State>
    private let aheadSeconds: Atomic<Double>
    let feeder = StreamFeeder("barline-list")

    /// A player for the playlist of `engine`.
    ///
    /// - Parameters:
    ///   - engine: what plays it, made with room for a playlist (``EngineConfiguration/playlistSeconds``).
    ///   - ahead: how far ahead audio is written, in seconds; as far as the engine has room.
    ///   - seed: what a shuffle follows from.
    ///   - feeding: who reads the sources.
    ///   - log: is called with what is done.
    /// - Throws: ``EngineError/noPlaylist`` where the engine has no room for one.
    public convenience init(
        on engine: Engine, ahead: Double = 10, seed: UInt64 = 0, feeding: Feeding = .threads(2),
        log: @escaping @Sendable (PlaylistLogEntry) -> Void = { _ in }
    ) throws(EngineError) {
        guard engine.playlist.hasRoom else { throw .noPlaylist }
        self.init(prepared: engine, ahead: ahead, seed: seed, feeding: feeding, log: log)
    }

    /// A player for an engine that is known to have room for a playlist.
    package init(
        prepared engine: Engine, ahead: Double, seed: UInt64 = 0, feeding: Feeding,
        log: @escaping @Sendable (PlaylistLogEntry) -> Void = { _ in }
    ) {
        precondition(engine.playlist.hasRoom, "the engine has room for a playlist")
        self.engine = engine
        self.log = log
        aheadSeconds = Atomic(PlaylistPlayer.possible(ahead, engine))
        control = ControlLock(State(queue: PlaylistQueue(seed: seed)))
        if case .threads(let count) = feeding { startFeeding(threads: count) }
    }

    deinit { close() }

    /// How far ahead audio is written, in seconds; as far as the engine has room. Outputs that take audio long before
    /// it is heard want more of it than others.
    public var ahead: Double {
        get { aheadSeconds.load(ordering: .relaxed) }
        set { aheadSeconds.store(PlaylistPlayer.possible(newValue, engine), ordering: .relaxed) }
    }

    /// Seconds that are written ahead at least, and that must be there for a change; for a start so many more.
    private static let leastAhead = 0.1
    private static let startSeconds = 0.5

    private static func possible(_ ahead: Double, _ engine: Engine) -> Double {
        ahead > leastAhead ? min(ahead, engine.configuration.playlistSeconds) : leastAhead
    }

    /// Ends the feeding, and cancels what is being read; to be called when the engine is not rendered any more.
    public func close() {
        feeder.end()
        control.withLock { state in
            for feed in [state.active, state.next, state.building, state.leaving] { feed?.cancel() }
        }
    }

    /// Hands the feeding over to threads, for as long as the player lives.
    public func startFeeding(threads count: Int = 2) {
        feeder.start(count, for: self)
    }

    // MARK: Feeding

    /// Writes ahead and passes on what was asked for. With ``StreamFeeding/manual`` only, before every block of at most
    /// ``framesPerFeed`` frames.
    ///
    /// - Complexity: O(*n*) in the frames that are written.
    public func feed() { feeder.feed(self) }

    /// The longest block that may follow one call of ``feed()``.
    public var framesPerFeed: Int { PlaylistDeck.markCapacity / 2 }

    /// Whether everything that was asked for has been passed on to the engine.
    public var isSettled: Bool {
        control.withLock { $0.requests.isEmpty && $0.building == nil && !$0.lacksDeck }
    }

    private var rate: SampleRate { engine.playlist.state.sampleRate }

    /// Frames that are written ahead.
    private var target: Int64 {
        // While nothing is requested, feeding may take its time.
        rate.frames(seconds: feeder.isByHand ? min(1, ahead) : ahead)
    }

    func readNeediest() -> Bool {
        let position = engine.playlist.state.framePosition
        let target = self.target
        let candidate: PlaylistFeed? = control.withLock { state in
            if let building = state.building, !building.isBusy, !building.isCancelled, !isReady(building, at: position),
                !building.hasEnded
            {
                return building
            }
            let feeds = [state.active, state.next, state.building, state.leaving].compactMap { $0 }
            let unfinished = feeds.filter { !$0.hasEnded && !($0 === state.active && isEnough($0, state.next)) }
            return unfinished.neediest(below: target) { $0.lead(from: position) }
        }
        return candidate?.readOn() ?? false
    }

    /// What the feeds ask.
    var plan: PlaylistFeed.Plan {
        PlaylistFeed.Plan(
            next: { [weak self] feed in self?.next(for: feed) ?? .undecided },
            failed: { [weak self] item, reason in
                self?.control.withLock { state in
                    state.failures[item] = reason
                    state.revision += 1
                }
                self?.log(PlaylistLogEntry(.source, isFailure: true, "item \(item.rawValue): \(reason)"))
            })
    }

    private func next(for feed: PlaylistFeed) -> PlaylistFeed.Next {
        let next = control.withLock { $0.next(for: feed) }
        switch next {
        case .item(let planned, let turn):
            log(PlaylistLogEntry(.item, "item \(planned.item.id.rawValue) is opened for turn \(turn)"))
        case .end: log(PlaylistLogEntry(.serializer, "deck \(feed.deck) ends with the list"))
        case .undecided: break
        }
        return next
    }

    /// Whether a feed has all that is heard of it before another one takes over.
    private func isEnough(_ feed: PlaylistFeed, _ next: PlaylistFeed?) -> Bool {
        guard let next else { return false }
        return feed.position + feed.lead(from: feed.position) > next.position + PlaylistDeck.keptFrames
    }

    /// Whether a deck holds enough to begin with.
    func isReady(_ feed: PlaylistFeed, at position: Int64) -> Bool {
        if feed.hasEnded || feed.isSaturated { return true }
        switch feed.purpose {
        case .start:
            return feed.lead(from: feed.position) >= rate.frames(seconds: min(PlaylistPlayer.startSeconds, ahead / 2))
        case .change:
            return feed.lead(from: position) >= rate.frames(seconds: min(PlaylistPlayer.leastAhead, ahead / 2))
        }
    }
}

import BarlineDSP
import BarlineTime
import Foundation
import Synchronization

/// A playlist on an engine: gapless, or crossfaded, and edited while it plays.
///
/// The active item and those after it are prefetched seconds ahead. An edit keeps the part of the prefetched audio that
/// is still valid, and only that: what follows is rendered again beside it, and takes over on the first frame that
/// differs. An edit never touches the playing item, unless that is removed.
///
/// An engine has one at a time: another one is created when this one was closed, or nobody has it any more, and ends what
/// it has left playing.
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

    /// Creates a player for the playlist of `engine`.
    ///
    /// - Parameters:
    ///   - engine: the engine that plays it, created with room for a playlist
    ///     (``EngineConfiguration/playlistSeconds``).
    ///   - ahead: how far ahead audio is prefetched, in seconds; limited by the engine's room.
    ///   - seed: determines the order of a shuffle.
    ///   - feeding: who reads the sources.
    ///   - log: called with an entry for every action.
    /// - Throws: ``EngineError/noPlaylist`` if the engine has no room for one.
    public convenience init(
        on engine: Engine, ahead: Double = 10, seed: UInt64 = 0, feeding: Feeding = .threads(2),
        log: @escaping @Sendable (PlaylistLogEntry) -> Void = { _ in }
    ) throws(EngineError) {
        guard engine.playlist.hasRoom else { throw .noPlaylist }
        self.init(prepared: engine, ahead: ahead, seed: seed, feeding: feeding, log: log)
    }

    /// Creates a player for an engine that is known to have room for a playlist.
    package init(
        prepared engine: Engine, ahead: Double, seed: UInt64 = 0, feeding: Feeding,
        log: @escaping @Sendable (PlaylistLogEntry) -> Void = { _ in }
    ) {
        precondition(engine.playlist.hasRoom, "the engine has room for a playlist")
        self.engine = engine
        self.log = log
        aheadSeconds = Atomic(PlaylistPlayer.possible(ahead, engine))
        let settings = PlaylistSettings(quality: engine.configuration.varispeed)
        var state = State(queue: PlaylistQueue(seed: seed), settings: settings)
        state.follow(
            engine.control.withLock { $0.parts[PlaylistCounts.self] }, endCount: engine.playlist.state.endCount)
        control = ControlLock(state) { $0.checkInvariants() }
        if state.startCount > 0 { _ = try? engine.send([.playlist(.stop)], at: nil) }
        if case .threads(let count) = feeding { startFeeding(threads: count) }
    }

    deinit { close() }

    /// How far ahead audio is prefetched, in seconds; limited by the engine's room. Outputs with a long buffer need
    /// more of it than others.
    public var ahead: Double {
        get { aheadSeconds.load(ordering: .relaxed) }
        set { aheadSeconds.store(PlaylistPlayer.possible(newValue, engine), ordering: .relaxed) }
    }

    /// The minimum of prefetched audio, in seconds, that must be available for a change; a start needs
    /// ``startSeconds``.
    private static let leastAhead = 0.1
    private static let startSeconds = 0.5
    /// What is read beyond a fade, in frames, for it begins up to a block after it was asked for.
    static let fadeMargin: Int64 = 8_192
    /// The longest time that a start waits for what fades out to be read, in seconds.
    static let longestWait = 0.5

    private static func possible(_ ahead: Double, _ engine: Engine) -> Double {
        ahead > leastAhead ? min(ahead, engine.configuration.playlistSeconds) : leastAhead
    }

    /// Ends the feeding, and cancels reads in progress; to be called when the engine is not rendered any more.
    ///
    /// - Complexity: O(*n*) in the threads that feed, each of which ends first.
    public func close() {
        feeder.end()
        control.withLock { state in
            for feed in [state.active, state.next, state.building, state.leaving] { feed?.cancel() }
            state.discardBuilding()
            freeDiscarded(&state)
            engine.control.withLock { [starts = state.startCount, plays = state.lastPlayNumber] in
                $0.parts[PlaylistCounts.self].note(starts: starts, plays: plays)
            }
        }
    }

    /// Hands the feeding over to threads, for as long as the player lives.
    ///
    /// - Complexity: O(*n*) in the threads.
    public func startFeeding(threads count: Int = 2) {
        feeder.start(count, for: self)
    }

    // MARK: Feeding

    /// Prefetches audio and forwards pending requests. With ``StreamFeeding/manual`` only, before every block of at
    /// most ``framesPerFeed`` frames.
    ///
    /// - Complexity: O(*n*) in the frames that are prefetched.
    public func feed() { feeder.feed(self) }

    /// The longest block that may follow one call of ``feed()``.
    public var framesPerFeed: Int {
        let most = PlaylistDeck.markCapacity / 2
        return control.withLock { min(most, framesToRefresh($0) ?? most, framesToDecision($0) ?? most) }
    }

    /// Whether all requests have been forwarded to the engine.
    public var isSettled: Bool {
        control.withLock { state in
            state.scheduled.isEmpty && state.requests.isEmpty && state.postponed == nil && state.building == nil
                && !state.lacksDeck
        }
    }

    var isUnused: Bool {
        control.withLock { state in
            state.active == nil && state.next == nil && state.leaving == nil && state.discarded.isEmpty
        }
    }

    private var rate: SampleRate { engine.playlist.state.sampleRate }

    /// The number of frames to prefetch.
    var target: Int64 {
        // With manual feeding, a second suffices.
        rate.frames(seconds: feeder.isByHand ? min(1, ahead) : ahead)
    }

    func readMostUrgent() -> Bool {
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
            let extra = max(0, state.leavingFrames + PlaylistPlayer.fadeMargin - target)
            let leaving = state.leavingFrames > 0 ? state.leaving : nil
            return unfinished.mostUrgent(below: target) { $0.lead(from: position) - ($0 === leaving ? extra : 0) }
        }
        return candidate?.readOn() ?? false
    }

    /// The plan that feeds follow.
    var plan: PlaylistFeed.Plan {
        PlaylistFeed.Plan(
            next: { [weak self] feed in self?.next(for: feed) ?? .undecided },
            failed: { [weak self] item, reason in
                self?.control.withLock { state in
                    state.failures[item] = reason
                    state.revision += 1
                }
                self?.log(PlaylistLogEntry(.source, isFailure: true, "item \(item.rawValue): \(reason)"))
            },
            began: { [weak self] item in
                self?.control.withLock { state in
                    if state.failures.removeValue(forKey: item) != nil { state.revision += 1 }
                }
            })
    }

    private func next(for feed: PlaylistFeed) -> PlaylistFeed.Next {
        let next = control.withLock { $0.next(for: feed) }
        switch next {
        case .item(let planned, let playNumber):
            log(PlaylistLogEntry(.item, "item \(planned.item.id.rawValue) is opened for turn \(playNumber)"))
        case .end: log(PlaylistLogEntry(.serializer, "deck \(feed.deck) ends with the list"))
        case .nothing:
            log(PlaylistLogEntry(.serializer, isFailure: true, "deck \(feed.deck) ends: no item can be played"))
        case .undecided: break
        }
        return next
    }

    /// Whether a feed holds all frames that play before another one takes over.
    private func isEnough(_ feed: PlaylistFeed, _ next: PlaylistFeed?) -> Bool {
        guard let next else { return false }
        return feed.position + feed.lead(from: feed.position) > next.position + PlaylistDeck.keptFrames
    }

    /// Whether a deck holds enough frames to start.
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

import Synchronization

/// A player of streams, as seen by its feeder.
protocol FedPlayer: StreamPlayer {
    var engine: Engine { get }
    var feeder: StreamFeeder { get }
    /// Whether no audio of it is in use, so that nothing is to be done before a request, whatever the engine plays.
    var isUnused: Bool { get }

    /// Takes the next step towards the requested state.
    ///
    /// - Returns: whether there was one.
    func serveRequests() -> Bool

    /// Lets the feed with the least data ahead read on.
    ///
    /// - Returns: whether there was anything to read.
    func readMostUrgent() -> Bool
}

extension FedPlayer {
    /// Has pending requests served.
    func wake() { feeder.wake(self) }

    fileprivate func runRound() -> FeedThreads.Outcome {
        let hasMoved = serveRequests()
        let hasRead = readMostUrgent()
        if hasMoved || hasRead { return .worked }
        return isSettled && (engine.isAtRest || isUnused) ? .atRest : .idle
    }
}

/// Keeps a player's feeds and requests moving: on threads of its own, or manually.
final class StreamFeeder: Sendable {
    private let name: String
    private let threads = FeedThreads()
    private let isManual = Atomic<Bool>(true)

    /// Creates a feeder that is manual.
    ///
    /// - Parameter name: the name of its threads.
    init(_ name: String) { self.name = name }

    /// Whether feeding is manual.
    var isByHand: Bool { isManual.load(ordering: .acquiring) }

    /// Hands the feeding over to `count` threads, once. They do not keep `player` alive.
    func start(_ count: Int, for player: some FedPlayer) {
        if !isManual.exchange(false, ordering: .acquiringAndReleasing) { return }
        threads.start(max(1, count), name: name) { [weak player] in player?.runRound() ?? .over }
    }

    /// Does all pending work, if feeding is manual.
    func feed(_ player: some FedPlayer) {
        if !isByHand { return }
        repeat { while player.readMostUrgent() {} } while player.serveRequests()
    }

    /// Has pending work done at once.
    func wake(_ player: some FedPlayer) { if isByHand { feed(player) } else { threads.wake() } }

    /// Tells the threads to end.
    func end() { threads.end() }
}

import Synchronization

/// A player as its feeder knows it.
protocol FedPlayer: StreamPlayer {
    var engine: Engine { get }
    var feeder: StreamFeeder { get }

    /// Takes the next step towards what was asked for.
    ///
    /// - Returns: whether there was one.
    func conduct() -> Bool

    /// Makes the feed read on that lacks most.
    ///
    /// - Returns: whether there was anything to read.
    func readNeediest() -> Bool
}

extension FedPlayer {
    /// Has what was asked for seen to.
    func wake() { feeder.wake(self) }

    fileprivate func takeTurn() -> FeedThreads.Turn {
        let hasMoved = conduct()
        let hasRead = readNeediest()
        if hasMoved || hasRead { return .worked }
        return isSettled && engine.isAtRest ? .atRest : .idle
    }
}

/// Has a player's feeds read ahead and what was asked of it done: by threads of its own, or by whoever renders.
final class StreamFeeder: Sendable {
    private let name: String
    private let threads = FeedThreads()
    private let isManual = Atomic<Bool>(true)

    /// Feeding is manual only.
    ///
    /// - Parameter name: what its threads will be called.
    init(_ name: String) { self.name = name }

    /// Whether it is fed by hand.
    var isByHand: Bool { isManual.load(ordering: .acquiring) }

    /// Hands the feeding over to `count` threads, once. They do not keep `player` alive.
    func start(_ count: Int, for player: some FedPlayer) {
        if !isManual.exchange(false, ordering: .acquiringAndReleasing) { return }
        threads.start(max(1, count), name: name) { [weak player] in player?.takeTurn() ?? .over }
    }

    /// Does all that there is to do, where it is fed by hand.
    func feed(_ player: some FedPlayer) {
        if !isByHand { return }
        repeat { while player.readNeediest() {} } while player.conduct()
    }

    /// Has whoever feeds look at once.
    func wake(_ player: some FedPlayer) { if isByHand { feed(player) } else { threads.wake() } }

    /// Lets the threads end.
    func end() { threads.end() }
}

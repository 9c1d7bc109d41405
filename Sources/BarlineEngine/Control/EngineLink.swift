import BarlineDSP
import Synchronization

/// What the control side and the audio thread share: the rings between them and what is published.
struct EngineLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>
    let events: SPSCRing<EngineEvent>
    let retired: SPSCRing<UInt>
    let tap: AudioRing?
    let board: StateBoard
    let playlist: PlaylistDecks
    let counters: UnsafePointer<EngineCounters>

    init(_ configuration: EngineConfiguration) {
        commands = SPSCRing(minimumCapacity: configuration.commandCapacity)
        events = SPSCRing(minimumCapacity: configuration.eventCapacity)
        retired = SPSCRing(minimumCapacity: 2 * configuration.commandCapacity)
        tap =
            configuration.tapFrames > 0
            ? AudioRing(minimumFrames: configuration.tapFrames) : nil
        let listFrames = configuration.playlistSeconds * configuration.sampleRate.hertz
        playlist = PlaylistDecks(minimumFrames: Int(listFrames) + 65_536)
        board = StateBoard(count: StateLayout.count(configuration))
        let storage = UnsafeMutablePointer<EngineCounters>.allocate(capacity: 1)
        storage.initialize(to: EngineCounters())
        storage.pointee.outputRate.store(configuration.sampleRate.hertz.bitPattern, ordering: .relaxed)
        counters = UnsafePointer(storage)
    }

    func deallocate() {
        commands.deallocate()
        events.deallocate()
        retired.deallocate()
        tap?.deallocate()
        playlist.deallocate()
        board.deallocate()
        let storage = UnsafeMutablePointer(mutating: counters)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }
}

/// Single words that the two sides share.
struct EngineCounters: ~Copyable {
    /// Commands that have taken effect.
    let executed = Atomic<Int>(0)
    /// The rate that a device has changed to, as the bits of a `Double`; 0 where it has not.
    let deviceRate = Atomic<UInt64>(0)
    /// The rate of the latest device, as the bits of a `Double`.
    let outputRate = Atomic<UInt64>(0)
    /// Whether a device is back after one was lost.
    let hasRejoined = Atomic<Bool>(false)
    /// Events that nobody read in time.
    let droppedEvents = Atomic<Int>(0)
}

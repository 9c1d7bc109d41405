import BarlineDSP
import Synchronization

/// What the control side has of what it shares with the audio thread: its ends of the rings between them, and what is
/// published.
struct EngineLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>.Producer
    let events: SPSCRing<EngineEvent>.Consumer
    let retired: SPSCRing<UInt>.Consumer
    let tap: AudioRing.Consumer?
    let board: StateBoard
    let playlist: PlaylistDecks.Writers
    let counters: UnsafePointer<EngineCounters>
    /// The other ends.
    let renderer: RendererLink
    private let rings: Rings
    private let trackCount: Int
    private let busCount: Int

    private struct Rings: BitwiseCopyable {
        let commands: SPSCRing<Command>
        let events: SPSCRing<EngineEvent>
        let retired: SPSCRing<UInt>
        let tap: AudioRing?
        let decks: PlaylistDecks
    }

    init(_ configuration: EngineConfiguration) {
        let listFrames = configuration.playlistSeconds * configuration.sampleRate.hertz
        let rings = Rings(
            commands: SPSCRing(minimumCapacity: configuration.commandCapacity),
            events: SPSCRing(minimumCapacity: configuration.eventCapacity),
            retired: SPSCRing(minimumCapacity: 2 * configuration.commandCapacity),
            tap: configuration.tapFrames > 0 ? AudioRing(minimumFrames: configuration.tapFrames) : nil,
            decks: PlaylistDecks(minimumFrames: Int(listFrames) + 65_536))
        let board = StateBoard(count: StateLayout.count(configuration))
        let storage = UnsafeMutablePointer<EngineCounters>.allocate(capacity: 1)
        storage.initialize(to: EngineCounters())
        storage.pointee.outputRate.store(configuration.sampleRate.hertz.bitPattern, ordering: .relaxed)
        commands = rings.commands.producer
        events = rings.events.consumer
        retired = rings.retired.consumer
        tap = rings.tap?.consumer
        playlist = rings.decks.writers
        self.board = board
        counters = UnsafePointer(storage)
        renderer = RendererLink(
            commands: rings.commands.consumer, events: rings.events.producer, retired: rings.retired.producer,
            tap: rings.tap?.producer, board: board, playlist: rings.decks.readers, counters: UnsafePointer(storage))
        self.rings = rings
        trackCount = configuration.trackCount
        busCount = configuration.busCount
    }

    /// Whether nothing plays, rings on or was asked for, as far as was published: then nothing happens until something is sent.
    ///
    /// Meters fall for seconds, so a moment of silence is no rest. Each word is read by itself, which costs any thread little.
    var isAtRest: Bool {
        if counters.pointee.executed.load(ordering: .acquiring) != counters.pointee.sent.load(ordering: .acquiring) {
            return false
        }
        let isBusy =
            board.peek(StateLayout.flags) != 0 || board.peek(StateLayout.voices) != 0
            || board.peek(StateLayout.padVoices) != 0 || board.peek(StateLayout.effects) != 0
            || board.peek(StateLayout.stemsPhase) != UInt64(EngineState.Multitrack.Phase.paused.rawValue)
            || board.peek(StateLayout.playlistPhase) > UInt64(EngineState.Playlist.Phase.paused.rawValue)
        return !isBusy
            && (0..<busCount).allSatisfy { bus in
                board.peek(StateLayout.bus(bus, tracks: trackCount) + StateLayout.Bus.peak) == 0
            }
    }

    /// Frees what both sides share.
    func deallocate() {
        rings.commands.deallocate()
        rings.events.deallocate()
        rings.retired.deallocate()
        rings.tap?.deallocate()
        rings.decks.deallocate()
        board.deallocate()
        let storage = UnsafeMutablePointer(mutating: counters)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }
}

/// What the audio thread has of what it shares with the control side.
struct RendererLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>.Consumer
    let events: SPSCRing<EngineEvent>.Producer
    let retired: SPSCRing<UInt>.Producer
    let tap: AudioRing.Producer?
    let board: StateBoard
    let playlist: PlaylistDecks.Readers
    let counters: UnsafePointer<EngineCounters>
}

/// Single words that the two sides share.
struct EngineCounters: ~Copyable {
    /// Commands that were sent.
    let sent = Atomic<Int>(0)
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

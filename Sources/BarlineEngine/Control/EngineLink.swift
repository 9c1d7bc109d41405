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
    private let trackCount: Int
    private let busCount: Int

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

import BarlineDSP
import Synchronization

/// What the control side and the audio thread share: the rings between them and what is published.
struct EngineLink: BitwiseCopyable, @unchecked Sendable {
    let commands: UnsafeMutablePointer<SPSCRing<Command>>
    let events: UnsafeMutablePointer<SPSCRing<EngineEvent>>
    let retired: UnsafeMutablePointer<SPSCRing<UInt>>
    let tap: UnsafeMutablePointer<AudioRing>?
    let board: StateBoard
    let counters: UnsafeMutablePointer<EngineCounters>

    init(_ configuration: EngineConfiguration) {
        commands = .allocate(capacity: 1)
        commands.initialize(to: SPSCRing(minimumCapacity: configuration.commandCapacity))
        events = .allocate(capacity: 1)
        events.initialize(to: SPSCRing(minimumCapacity: configuration.eventCapacity))
        retired = .allocate(capacity: 1)
        retired.initialize(to: SPSCRing(minimumCapacity: 2 * configuration.commandCapacity))
        if configuration.tapFrames > 0 {
            let ring = UnsafeMutablePointer<AudioRing>.allocate(capacity: 1)
            ring.initialize(to: AudioRing(minimumFrames: configuration.tapFrames))
            tap = ring
        } else {
            tap = nil
        }
        board = StateBoard(
            count: StateLayout.count(tracks: configuration.trackCount, buses: configuration.busCount))
        counters = .allocate(capacity: 1)
        counters.initialize(to: EngineCounters())
    }

    func deallocate() {
        commands.deinitialize(count: 1)
        commands.deallocate()
        events.deinitialize(count: 1)
        events.deallocate()
        retired.deinitialize(count: 1)
        retired.deallocate()
        tap?.deinitialize(count: 1)
        tap?.deallocate()
        board.deallocate()
        counters.deinitialize(count: 1)
        counters.deallocate()
    }
}

/// Single words that the two sides share.
struct EngineCounters: ~Copyable {
    /// Commands that have taken effect.
    let executed = Atomic<Int>(0)
    /// The rate that a device has changed to, as the bits of a `Double`; 0 where it has not.
    let deviceRate = Atomic<UInt64>(0)
    /// Whether a device is back after one was lost.
    let hasRejoined = Atomic<Bool>(false)
    /// Events that nobody read in time.
    let droppedEvents = Atomic<Int>(0)
}

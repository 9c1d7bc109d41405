import BarlineDSP
import Synchronization

/// What the control side and the audio thread share: the rings between them and what is published.
struct EngineLink: BitwiseCopyable, @unchecked Sendable {
    // Read-only pointers: what changes in a ring is atomic, and a use of it is not an exclusive access.
    let commands: UnsafePointer<SPSCRing<Command>>
    let events: UnsafePointer<SPSCRing<EngineEvent>>
    let retired: UnsafePointer<SPSCRing<UInt>>
    let tap: UnsafePointer<AudioRing>?
    let board: StateBoard
    let counters: UnsafePointer<EngineCounters>

    init(_ configuration: EngineConfiguration) {
        commands = EngineLink.place(SPSCRing(minimumCapacity: configuration.commandCapacity))
        events = EngineLink.place(SPSCRing(minimumCapacity: configuration.eventCapacity))
        retired = EngineLink.place(SPSCRing(minimumCapacity: 2 * configuration.commandCapacity))
        tap =
            configuration.tapFrames > 0
            ? EngineLink.place(AudioRing(minimumFrames: configuration.tapFrames)) : nil
        board = StateBoard(
            count: StateLayout.count(tracks: configuration.trackCount, buses: configuration.busCount))
        counters = EngineLink.place(EngineCounters())
    }

    func deallocate() {
        EngineLink.remove(commands)
        EngineLink.remove(events)
        EngineLink.remove(retired)
        if let tap { EngineLink.remove(tap) }
        board.deallocate()
        EngineLink.remove(counters)
    }

    private static func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafePointer<Value> {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        pointer.initialize(to: value)
        return UnsafePointer(pointer)
    }

    private static func remove<Value: ~Copyable>(_ pointer: UnsafePointer<Value>) {
        let pointer = UnsafeMutablePointer(mutating: pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
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

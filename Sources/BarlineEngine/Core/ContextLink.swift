import BarlineDSP
import Synchronization

/// The audio thread's ends of the rings and the board, and what sources and mixer agree on, for the parts of the
/// renderer.
struct ContextLink: BitwiseCopyable, @unchecked Sendable {
    let events: SPSCRing<EngineEvent>.Producer
    let retired: SPSCRing<UInt>.Producer
    let tap: AudioRing.Producer?
    let board: Board.Writer
    let counters: UnsafePointer<EngineCounters>
    /// The order of the mixer's channels.
    let layout: ChannelLayout
}

/// Atomic words shared by the two sides.
struct EngineCounters: ~Copyable {
    /// The number of commands sent.
    let sent = Atomic<Int>(0)
    /// The number of commands that have taken effect.
    let executed = Atomic<Int>(0)
    /// The sample rate that a device has changed to, as the bits of a `Double`; 0 if it has not.
    let deviceRate = Atomic<UInt64>(0)
    /// The sample rate of the latest device, as the bits of a `Double`.
    let outputRate = Atomic<UInt64>(0)
    /// Whether a device has returned after one was lost.
    let hasRejoined = Atomic<Bool>(false)
    /// Whether the renderer waits for clips that are streamed, offline.
    let waitsForClips = Atomic<Bool>(false)
    /// The number of events lost because no reader took them in time.
    let droppedEvents = Atomic<Int>(0)
}

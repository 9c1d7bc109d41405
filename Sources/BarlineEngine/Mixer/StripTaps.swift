import BarlineDSP
import BarlineTime
import Synchronization

/// The rings into which strips are copied while they are recorded: channels after their faders and the fader of their
/// bus, buses after theirs and before the limiter, inputs as captured.
///
/// Every ring is offered every frame from the same one on, so the same position in all of them is the same frame of
/// the timeline, whatever did not fit.
struct StripTaps: BitwiseCopyable, @unchecked Sendable {
    /// One strip.
    struct Tap: BitwiseCopyable, @unchecked Sendable {
        let ring: AudioRing.Producer
        let progress: UnsafePointer<StripProgress>
        /// The index of the input, or −1 for a channel or a bus.
        let input: Int
        /// Whether the present slice was written.
        var isWritten = false

        init(ring: AudioRing.Producer, progress: UnsafePointer<StripProgress>, input: Int) {
            self.ring = ring
            self.progress = progress
            self.input = input
        }
    }

    let taps: UnsafeMutablePointer<Tap>
    let count: Int
    /// The tap of each of the mixer's chains, the channels' and then the buses', or −1.
    private let places: UnsafePointer<Int>
    /// As many silent frames as a slice may have.
    private let silence: UnsafePointer<Float>

    init(
        taps: UnsafeMutablePointer<Tap>, count: Int, places: UnsafePointer<Int>, silence: UnsafePointer<Float>
    ) {
        self.taps = taps
        self.count = count
        self.places = places
        self.silence = silence
    }

    /// Whether a chain is recorded.
    @_noLocks func has(chain: Int) -> Bool { places[chain] >= 0 }

    /// Writes the present slice of a chain, if it is recorded.
    @_noLocks func write(chain: Int, _ signal: StereoBuffer, _ count: Int) {
        if places[chain] >= 0 { write(tap: places[chain], signal, count) }
    }

    /// Writes the present slice of a tap.
    @_noLocks func write(tap: Int, _ signal: StereoBuffer, _ count: Int) {
        taps[tap].ring.write(left: signal.left, right: signal.right, frames: count)
        taps[tap].isWritten = true
    }

    /// Ends a slice: what was not mixed in it was silent.
    @_noLocks func finish(_ count: Int) {
        for tap in 0..<self.count {
            if !taps[tap].isWritten { taps[tap].ring.write(left: silence, right: silence, frames: count) }
            taps[tap].isWritten = false
        }
    }

    /// Begins with the frame `now`.
    @_noLocks func begin(at now: FrameTime) {
        for tap in 0..<count { taps[tap].progress.pointee.start.store(now.rawValue, ordering: .releasing) }
    }
}

/// The progress of a recorded strip, as the control side reads it.
struct StripProgress: ~Copyable {
    /// The frame of the timeline at which its ring begins; −1 until it has begun.
    let start = Atomic<Int64>(-1)
    /// The latency of an input in frames when that was.
    let latency = Atomic<Int64>(0)
}

#if JACK
    import CJack
    import Synchronization

    /// The map from JACK's frame clock to the engine's frames: the audio callback updates it once per block.
    struct JackTimeline: BitwiseCopyable, @unchecked Sendable {
        /// The process has one engine at a time, and one JACK clock.
        static let shared = JackTimeline()

        // JACK's frame in the upper half, the lower half of the engine's frame in the lower: both change atomically.
        private let pair: UnsafePointer<Atomic<UInt64>>

        private init() {
            let storage = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
            storage.initialize(to: Atomic(0))
            pair = UnsafePointer(storage)
        }

        /// Records that a block ends before JACK's frame `time` and the engine's `frame`.
        @_noLocks func set(time: jack_nframes_t, frame: Int64) {
            pair.pointee.store(UInt64(time) << 32 | UInt64(UInt32(truncatingIfNeeded: frame)), ordering: .relaxed)
        }

        /// The engine's frame at JACK's frame `time`; `now` is any frame less than half a day from it.
        func frame(at time: jack_nframes_t, near now: Int64) -> Int64 {
            let known = pair.pointee.load(ordering: .relaxed)
            let elapsed = Int32(bitPattern: time &- UInt32(known >> 32))
            let low = UInt32(truncatingIfNeeded: known) &+ UInt32(bitPattern: elapsed)
            return now + Int64(Int32(bitPattern: low &- UInt32(truncatingIfNeeded: now)))
        }
    }
#endif

import Synchronization

/// A queue of stereo frames from one thread to one other that neither locks nor allocates after its creation.
///
/// A write that does not fit is refused as a whole and counted: audio with a hole in it would be worse than audio
/// that says how much is missing.
public struct AudioRing: ~Copyable, @unchecked Sendable {
    @usableFromInline let left: UnsafeMutablePointer<Float>
    @usableFromInline let right: UnsafeMutablePointer<Float>
    @usableFromInline let mask: Int
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let padding = InlineArray<15, Int>(repeating: 0)
    @usableFromInline let tail = Atomic<Int>(0)
    @usableFromInline let refused = Atomic<Int>(0)

    /// Creates a ring that holds at least `minimumFrames` frames: the next power of two.
    public init(minimumFrames: Int) {
        var capacity = 64
        while capacity < minimumFrames { capacity *= 2 }
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        mask = capacity - 1
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Frames that were refused because the reader was too slow.
    public var refusedFrames: Int { refused.load(ordering: .relaxed) }

    /// Frames that can be read now.
    public var availableFrames: Int { tail.load(ordering: .acquiring) &- head.load(ordering: .relaxed) }

    /// Appends `frames` frames; `false` where they do not fit. For the producer only.
    @_noLocks @inlinable @discardableResult
    public borrowing func write(
        left source: UnsafePointer<Float>, right sourceRight: UnsafePointer<Float>, frames: Int
    ) -> Bool {
        let end = tail.load(ordering: .relaxed)
        if end &- head.load(ordering: .acquiring) &+ frames > mask + 1 {
            refused.wrappingAdd(frames, ordering: .relaxed)
            return false
        }
        for index in 0..<frames {
            left[(end &+ index) & mask] = source[index]
            right[(end &+ index) & mask] = sourceRight[index]
        }
        tail.store(end &+ frames, ordering: .releasing)
        return true
    }

    /// Takes up to `frames` frames and returns how many. For the consumer only.
    public borrowing func read(
        left target: UnsafeMutablePointer<Float>, right targetRight: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        let start = head.load(ordering: .relaxed)
        let count = min(frames, tail.load(ordering: .acquiring) &- start)
        for index in 0..<count {
            target[index] = left[(start &+ index) & mask]
            targetRight[index] = right[(start &+ index) & mask]
        }
        head.store(start &+ count, ordering: .releasing)
        return count
    }
}

import BarlineTime
import Synchronization

/// Fills one ring from one reading of a stem's source.
final class StemFeed: @unchecked Sendable {
    /// Frames that are read at a time.
    static let pieceFrames = 8_192
    /// A ring with so many frames ahead is left alone.
    static let fullEnough = Int64(StemRing.capacity - StemFeed.pieceFrames) - 2 * StemRing.reach

    private let source: any StemSource
    private let ring: UnsafePointer<StemRing>
    private let lock: ControlLock<Reading>
    private let isReading = Atomic<Bool>(false)
    private let start = Atomic<Int64>(0)

    private struct Reading {
        var reader: (any StemReader)?
        /// The frame that the reader delivers next.
        var next: Int64 = 0
        var problem: String?
        let left: UnsafeMutablePointer<Float>
        let right: UnsafeMutablePointer<Float>
    }

    init(_ source: any StemSource, ring: UnsafePointer<StemRing>) {
        self.source = source
        self.ring = ring
        lock = ControlLock(
            Reading(left: .allocate(capacity: StemFeed.pieceFrames), right: .allocate(capacity: StemFeed.pieceFrames)))
    }

    deinit {
        lock.withLock { reading in
            reading.left.deallocate()
            reading.right.deallocate()
        }
    }

    /// Whether a thread is reading, perhaps waiting for a disk.
    var isBusy: Bool { isReading.load(ordering: .relaxed) }

    /// Frames ahead of what plays.
    var lead: Int64 {
        ring.pointee.written.load(ordering: .acquiring) - ring.pointee.released.load(ordering: .acquiring)
    }

    /// What went wrong with the source, which is silent from there on.
    var problem: String? { lock.withLock { $0.problem } }

    /// How much of what a start needs is there, 0 … 1.
    var readiness: Double {
        let needed = max(Int64(StemFeed.pieceFrames), Int64(source.sampleRate.hertz / 5)) + 2 * StemRing.reach
        let there = ring.pointee.written.load(ordering: .acquiring) - start.load(ordering: .relaxed)
        return min(1, Double(there) / Double(needed))
    }

    /// Begins anew at `frame`.
    func restart(at frame: Int64) {
        lock.withLock { _ in
            start.store(frame, ordering: .relaxed)
            ring.pointee.restart(at: frame)
        }
    }

    /// Reads a piece into the ring.
    ///
    /// - Returns: whether there was room for one.
    func fill() -> Bool {
        if isReading.exchange(true, ordering: .acquiring) { return false }
        defer { isReading.store(false, ordering: .releasing) }
        return lock.withLock { reading in
            let released = ring.pointee.released.load(ordering: .acquiring)
            // What plays has passed what was read: a slow disk's lag is skipped, not caught up with.
            if released > ring.pointee.written.load(ordering: .relaxed) {
                ring.pointee.written.store(released, ordering: .releasing)
            }
            let first = ring.pointee.written.load(ordering: .relaxed)
            guard first - released <= StemFeed.fullEnough else { return false }
            let silent = first < 0 ? Int(min(-first, Int64(StemFeed.pieceFrames))) : 0
            var count = silent
            if silent == 0 { count = read(&reading, at: first) }
            for index in 0..<silent {
                reading.left[index] = 0
                reading.right[index] = 0
            }
            ring.pointee.append(reading.left, reading.right, count: count)
            return true
        }
    }

    /// Reads from `frame` on. Beyond the source's end there is silence without end.
    private func read(_ reading: inout Reading, at frame: Int64) -> Int {
        var count = 0
        let isGoingOn = reading.next == frame
        if frame < ring.pointee.end.load(ordering: .relaxed) {
            do {
                let reader = try reading.reader ?? source.open()
                reading.reader = reader
                if !isGoingOn { try reader.seek(to: frame) }
                count = try reader.read(left: reading.left, right: reading.right, count: StemFeed.pieceFrames)
                reading.next = frame + Int64(count)
            } catch {
                reading.problem = "\(error)"
                reading.reader = nil
            }
            if count > 0 { return count }
            // A seek may have led beyond the end; else the end is what was read, whatever the length was said to be.
            let length = source.frameCount
            ring.pointee.end.store(!isGoingOn && length > 0 ? min(frame, length) : frame, ordering: .releasing)
        }
        for index in 0..<StemFeed.pieceFrames {
            reading.left[index] = 0
            reading.right[index] = 0
        }
        return StemFeed.pieceFrames
    }
}

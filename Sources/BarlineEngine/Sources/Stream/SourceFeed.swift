import BarlineTime
import CKernels
import Synchronization

/// The feed of a ring with a source's own frames, from one reader of it.
///
/// It can be asked at any time to restart elsewhere, without waiting for a disk: the next thread that reads does that.
/// Frames that the audio thread has passed before they were read are skipped. Beyond the source's end, and where it
/// can't be read, there is silence.
final class SourceFeed: @unchecked Sendable {
    /// A ring with this many frames ahead is not filled further.
    static let fullEnough = Int64(SourceRing.capacity) - SourceRing.pieceFrames - 2 * SourceRing.reach

    /// More than any block takes: half a ring, plus what the interpolator needs.
    static let plenty = Int64(SourceRing.capacity) / 2 + SourceRing.pieceFrames

    /// A piece of the source's frames from `first` on, which may be modified.
    struct Piece {
        let first: Int64
        let count: Int
        let left: UnsafeMutablePointer<Float>
        let right: UnsafeMutablePointer<Float>
        /// Whether it is the first since the ring was restarted.
        let isFirst: Bool
    }

    private let source: any StreamSource
    private let ring: StreamRing.Writer
    private let reach: SourceReach
    let lease = ReadLease()
    private let reading: ControlLock<Reading>
    private let failure = ControlLock<String?>(nil)
    /// The frame at which the ring is to restart, the number of restarts requested, and the number performed.
    private let start = Atomic<Int64>(0)
    private let requests = Atomic<Int>(0)
    private let served = Atomic<Int>(0)

    /// The state of the current reader.
    private struct Reading {
        let shape: (Piece) -> Void
        var reader: (any StreamReader)?
        /// The frame that the reader delivers next.
        var next: Int64 = 0
        /// Whether nothing was read since the ring was restarted.
        var isFirst = true
        let left: UnsafeMutablePointer<Float>
        let right: UnsafeMutablePointer<Float>
    }

    /// - Parameters:
    ///   - source: the source to read.
    ///   - ring: the ring to fill, created by ``SourceRing/make(_:)``.
    ///   - reach: the frames that readers of the ring need around a position.
    ///   - shape: called with every piece before it is written, one at a time; pieces are not in order across restarts.
    init(
        _ source: any StreamSource, ring: StreamRing.Writer, reach: SourceReach,
        shape: @escaping (Piece) -> Void = { _ in }
    ) {
        self.source = source
        self.ring = ring
        self.reach = reach
        let count = Int(SourceRing.pieceFrames)
        reading = ControlLock(
            Reading(shape: shape, left: .allocate(capacity: count), right: .allocate(capacity: count)))
    }

    deinit {
        reading.withLock { reading in
            reading.left.deallocate()
            reading.right.deallocate()
        }
    }

    private var isRestarting: Bool { requests.load(ordering: .acquiring) != served.load(ordering: .acquiring) }

    /// The number of frames ahead of the playback position, without those that only a larger ring than others has room
    /// for.
    var lead: Int64 {
        if isRestarting { return .min }
        return ring.written - ring.released - reach.spareFrames
    }

    /// The read error of the source, which is silent from there on.
    var problem: String? { failure.withLock { $0 } }

    /// The share of the data needed for a start that is in memory, 0 … 1.
    var readiness: Double {
        if isRestarting { return 0 }
        let needed = reach.startFrames(source.sampleRate.hertz)
        let there = ring.written - start.load(ordering: .relaxed)
        return min(1, Double(there) / Double(needed))
    }

    /// Has the ring restart at `frame`. Not while the audio thread reads it.
    func restart(at frame: Int64) {
        start.store(frame, ordering: .relaxed)
        requests.wrappingAdd(1, ordering: .releasing)
    }

    private func takeRestart(_ reading: inout Reading) {
        let number = requests.load(ordering: .acquiring)
        if number == served.load(ordering: .relaxed) { return }
        reading.isFirst = true
        ring.restart(at: start.load(ordering: .relaxed))
        served.store(number, ordering: .releasing)
    }

    // MARK: Reading

    /// Reads from `frame` on. Beyond the source's end there is endless silence; nothing is read once reading was
    /// cancelled.
    private func read(
        _ reading: inout Reading, at frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) -> Int {
        if frame < ring.end {
            let isContiguous = reading.next == frame
            var count = 0
            do {
                let reader = try reading.reader ?? source.open { [lease] in !lease.isCancelled }
                reading.reader = reader
                if !isContiguous { try reader.seek(to: frame) }
                count = try reader.read(left: left, right: right, count: Int(SourceRing.pieceFrames))
                reading.next = frame + Int64(count)
            } catch  where lease.isCancelled {
                reading.reader = nil
                return 0
            } catch {
                failure.withLock { $0 = "\(error)" }
                reading.reader = nil
                reading.next = 0
            }
            if count > 0 {
                reading.shape(
                    Piece(first: frame, count: count, left: left, right: right, isFirst: reading.isFirst))
                reading.isFirst = false
                return count
            }
            // A seek may have led beyond the end; otherwise the end is where reading ended, whatever the reported
            // length.
            let length = source.frameCount
            ring.setEnd(!isContiguous && length > 0 ? min(frame, length) : frame)
        }
        dsp_clear(left, Int(SourceRing.pieceFrames))
        dsp_clear(right, Int(SourceRing.pieceFrames))
        return Int(SourceRing.pieceFrames)
    }
}

extension SourceFeed: StreamFeed {
    func read() -> Bool {
        reading.withLock { reading in
            takeRestart(&reading)
            let released = ring.released
            // Playback has passed what was read: a slow disk's lag is skipped, not caught up with.
            if released > ring.written { ring.skip(to: released) }
            let first = ring.written
            guard first - released - reach.spareFrames <= SourceFeed.fullEnough else { return false }
            // Decoded in its place, but for a piece that lies across the ring's end: a copy costs what mixing does.
            let place = ring.place(for: Int(SourceRing.pieceFrames))
            let (left, right) = place ?? (reading.left, reading.right)
            var count = 0
            if first < 0 {
                count = Int(min(-first, SourceRing.pieceFrames))
                dsp_clear(left, count)
                dsp_clear(right, count)
            } else {
                count = read(&reading, at: first, left: left, right: right)
            }
            if isRestarting { return count > 0 }
            if place == nil { ring.append(left, right, count: count) } else { ring.publish(count: count) }
            return count > 0
        }
    }
}

import BarlineTime
import CKernels
import Synchronization

/// Fills one ring from one reading of a stem's source.
final class StemFeed: @unchecked Sendable {
    /// A ring with so many frames ahead is left alone.
    static let fullEnough = Int64(StemRing.capacity) - StemRing.pieceFrames - 2 * StemRing.reach

    /// More than any block takes: half of a ring, and what the interpolator needs beside it.
    static let plenty = Int64(StemRing.capacity) / 2 + StemRing.pieceFrames

    private let source: any StemSource
    private let ring: StemRing.Writer
    private let isReading = Atomic<Bool>(false)
    private let reading: ControlLock<Reading>
    private let failure = ControlLock<String?>(nil)
    /// Where the ring is to begin anew, how often that was asked for, and how often it was done. A feeder does it when it is done with what it
    /// is reading: whoever asks does not wait for a disk.
    private let start = Atomic<Int64>(0)
    private let requests = Atomic<Int>(0)
    private let served = Atomic<Int>(0)

    private struct Reading {
        var onset: StemOnset
        var reader: (any StemReader)?
        /// The frame that the reader delivers next.
        var next: Int64 = 0
        let left: UnsafeMutablePointer<Float>
        let right: UnsafeMutablePointer<Float>
    }

    init(_ stem: Stem, ring: StemRing.Writer, followsTempo: Bool) {
        source = stem.source
        self.ring = ring
        let count = Int(StemRing.pieceFrames)
        reading = ControlLock(
            Reading(
                onset: StemOnset(stem, followsTempo: followsTempo), left: .allocate(capacity: count),
                right: .allocate(capacity: count)))
    }

    deinit {
        reading.withLock { reading in
            reading.left.deallocate()
            reading.right.deallocate()
        }
    }

    /// Whether a thread is reading, perhaps waiting for a disk.
    var isBusy: Bool { isReading.load(ordering: .relaxed) }

    private var isRestarting: Bool { requests.load(ordering: .acquiring) != served.load(ordering: .acquiring) }

    /// Frames ahead of what plays.
    var lead: Int64 {
        if isRestarting { return .min }
        return ring.written - ring.released
    }

    /// What went wrong with the source, which is silent from there on.
    var problem: String? { failure.withLock { $0 } }

    /// How much of what a start needs is there, 0 … 1.
    var readiness: Double {
        if isRestarting { return 0 }
        let needed = StemRing.startFrames(source.sampleRate.hertz)
        let there = ring.written - start.load(ordering: .relaxed)
        return min(1, Double(there) / Double(needed))
    }

    /// Has the ring begin anew at `frame`. Not while the audio thread reads it.
    func restart(at frame: Int64) {
        start.store(frame, ordering: .relaxed)
        requests.wrappingAdd(1, ordering: .releasing)
    }

    /// Reads a piece into the ring.
    ///
    /// - Returns: whether there was room for one.
    func fill() -> Bool {
        if isReading.exchange(true, ordering: .acquiring) { return false }
        defer { isReading.store(false, ordering: .releasing) }
        return reading.withLock { reading in
            takeRestart()
            let released = ring.released
            // What plays has passed what was read: a slow disk's lag is skipped, not caught up with.
            if released > ring.written { ring.skip(to: released) }
            let first = ring.written
            guard first - released <= StemFeed.fullEnough else { return false }
            var count = 0
            if first < 0 {
                count = Int(min(-first, StemRing.pieceFrames))
                StemFeed.silence(reading, count)
            } else {
                count = read(&reading, at: first)
            }
            if !isRestarting { ring.append(reading.left, reading.right, count: count) }
            return true
        }
    }

    private func takeRestart() {
        let number = requests.load(ordering: .acquiring)
        if number == served.load(ordering: .relaxed) { return }
        ring.restart(at: start.load(ordering: .relaxed))
        served.store(number, ordering: .releasing)
    }

    /// Reads from `frame` on. Beyond the source's end there is silence without end.
    private func read(_ reading: inout Reading, at frame: Int64) -> Int {
        if frame < ring.end {
            let isGoingOn = reading.next == frame
            var count = 0
            do {
                let reader = try reading.reader ?? source.open()
                reading.reader = reader
                if !isGoingOn { try reader.seek(to: frame) }
                count = try reader.read(left: reading.left, right: reading.right, count: Int(StemRing.pieceFrames))
                reading.next = frame + Int64(count)
            } catch {
                failure.withLock { $0 = "\(error)" }
                reading.reader = nil
                reading.next = 0
            }
            if count > 0 {
                let isLoud = reading.onset.enter(reading.left, reading.right, from: frame, count: count)
                if let isLoud { ring.setStartsLoud(isLoud) }
                return count
            }
            // A seek may have led beyond the end; else the end is what was read, whatever the length was said to be.
            let length = source.frameCount
            ring.setEnd(!isGoingOn && length > 0 ? min(frame, length) : frame)
        }
        StemFeed.silence(reading, Int(StemRing.pieceFrames))
        return Int(StemRing.pieceFrames)
    }

    private static func silence(_ reading: Reading, _ count: Int) {
        dsp_clear(reading.left, count)
        dsp_clear(reading.right, count)
    }
}

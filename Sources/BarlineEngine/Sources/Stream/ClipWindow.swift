import BarlineDSP
import BarlineTime
import CKernels
import CRealtime
import Synchronization

/// The part of a long file that is in memory, at the addresses of the frames of the whole file.
///
/// It is filled and given back chunk by chunk, on the control side. Some chunks are pinned; others stay as long as
/// somebody who plays the file needs them.
package final class ClipWindow: PartialSamples, @unchecked Sendable {
    /// Somebody who plays the file.
    protocol User: AnyObject, Sendable {
        /// Whether frames of the file are played, or soon will be.
        func needs(_ frames: Range<Int64>) -> Bool
    }

    /// Whether each chunk is in memory.
    let chunks: UnsafeMutablePointer<Atomic<Bool>>
    let frameCount: Int
    let sampleRate: SampleRate
    private let storage: SampleStorage
    private let chunkCount: Int
    /// The largest magnitude of every chunk, if they were looked for.
    private let peaks: [Float]?
    private let source: any StreamSource
    private let table = ControlLock(Table()) { $0.checkInvariants() }
    /// Held by the thread that fills or empties chunks.
    private let lease = ReadLease()
    /// The readers, used by the holder of ``lease``.
    private var readings: [Reading] = []
    /// Groups that nobody needs whose pages wait for the next one to be read; used by the holder of ``lease``.
    private var spares: [Int] = []

    private struct Table {
        var pins: [Int: Int] = [:]
        /// The chunks in memory.
        var present: Set<Int> = []
        var users: [ObjectIdentifier: Weak] = [:]
        var problem: String?

        /// Whether no chunk is held that nobody has pinned.
        func checkInvariants() -> Bool { pins.values.allSatisfy { $0 > 0 } }
    }

    private struct Weak {
        weak var user: (any User)?
    }

    /// A reader of the source, and the frame that it delivers next.
    private struct Reading {
        let reader: any StreamReader
        var next: Int
    }

    /// The frames of a chunk.
    package static let chunkFrames = Int(ClipStream.chunkFrames)
    /// The longest region that is in memory as a whole whatever is set, in frames: 43 s at 48 kHz.
    package static let longestHeld = 1 << 21
    /// The readers kept open: that of the place that is played, and of others.
    private static let mostReadings = 3
    /// The chunks of a group, which are read in one go where nothing of it is in memory, and whose pages go together:
    /// for every range of pages that goes, the system interrupts all processors that run the program.
    private static let groupChunks = 4
    /// The most groups whose pages are kept for others.
    private static let mostSpares = 2

    /// - Parameters:
    ///   - source: the file.
    ///   - frameCount: its length.
    ///   - channels: 1 or 2; of a source with one channel both are the same.
    ///   - peaks: the largest magnitude of every chunk; `nil` if the file was not read, whose samples don't exceed 1
    ///     then.
    package init(_ source: any StreamSource, frameCount: Int, channels: Int, peaks: [Float]? = nil) {
        let chunkCount = (frameCount + ClipWindow.chunkFrames - 1) / ClipWindow.chunkFrames
        precondition(peaks.map { $0.count == chunkCount } ?? true, "every chunk has a peak")
        self.chunkCount = chunkCount
        self.source = source
        self.frameCount = frameCount
        self.peaks = peaks
        sampleRate = source.sampleRate
        storage = SampleStorage(mapped: frameCount, channels: channels)
        chunks = .allocate(capacity: chunkCount)
        for chunk in 0..<chunkCount { (chunks + chunk).initialize(to: Atomic(false)) }
    }

    deinit {
        chunks.deinitialize(count: chunkCount)
        chunks.deallocate()
    }

    /// The file's frames, of which those in memory can be read.
    package var buffer: SampleBuffer {
        SampleBuffer(storage, frameCount: frameCount, sampleRate: sampleRate, partial: self)
    }

    /// The number of frames in memory, in whole chunks.
    package var residentFrames: Int { table.withLock { $0.present.count } * ClipWindow.chunkFrames }

    /// Why frames that were needed could not be read; they are silent.
    package var problem: String? { table.withLock { $0.problem } }

    // MARK: Users

    func add(_ user: any User) { table.withLock { $0.users[ObjectIdentifier(user)] = Weak(user: user) } }

    func remove(_ user: any User) { table.withLock { $0.users[ObjectIdentifier(user)] = nil } }

    /// Keeps the chunks of a range of frames in memory until ``unpin(_:)``; reads those that are absent.
    func pin(_ frames: Range<Int>) {
        let range = chunkRange(frames)
        table.withLock { table in for chunk in range { table.pins[chunk, default: 0] += 1 } }
        withLease {
            for chunk in range where !isPresent(chunk) { fill(chunk) }
        }
    }

    /// Lets the chunks of a range of frames go that was pinned.
    func unpin(_ frames: Range<Int>) {
        table.withLock { table in
            for chunk in chunkRange(frames) {
                let count = (table.pins[chunk] ?? 1) - 1
                table.pins[chunk] = count == 0 ? nil : count
            }
        }
    }

    private func chunkRange(_ frames: Range<Int>) -> Range<Int> {
        let frames = frames.clamped(to: 0..<frameCount)
        if frames.isEmpty { return 0..<0 }
        return frames.lowerBound / ClipWindow.chunkFrames..<(frames.upperBound - 1) / ClipWindow.chunkFrames + 1
    }

    private func frames(of chunks: Range<Int>) -> Range<Int> {
        chunks.lowerBound * ClipWindow.chunkFrames..<min(frameCount, chunks.upperBound * ClipWindow.chunkFrames)
    }

    // MARK: Filling

    /// Whether a thread fills chunks, possibly waiting for a disk.
    var isBusy: Bool { lease.isTaken }

    /// Reads a chunk and, if it begins a group that is absent, the rest of the group, unless another thread reads.
    ///
    /// - Returns: whether it was read.
    func load(_ chunk: Int) -> Bool {
        lease.take {
            if isPresent(chunk) { return false }
            let group = group(of: chunk)
            let isBegun = chunk != group.lowerBound || group.contains(where: isPresent)
            evict()
            for chunk in isBegun ? chunk..<chunk + 1 : group { fill(chunk) }
            return true
        }
    }

    private func isPresent(_ chunk: Int) -> Bool { chunks[chunk].load(ordering: .acquiring) }

    /// The chunks of a chunk's group.
    private func group(of chunk: Int) -> Range<Int> {
        let first = chunk / ClipWindow.groupChunks * ClipWindow.groupChunks
        return first..<min(first + ClipWindow.groupChunks, chunkCount)
    }

    /// Gives the chunks back that nobody needs, unless a thread reads.
    func clean() {
        if hasPinnedOnly { return }
        _ = lease.take {
            evict()
            if hasPinnedOnly { discardSpares() }
            return true
        }
    }

    private var hasPinnedOnly: Bool { table.withLock { $0.present.count == $0.pins.count } }

    /// Runs `body` when no other thread fills chunks.
    private func withLease(_ body: () -> Void) {
        while !lease.take({
            body()
            return true
        }) { rt_sleep_until(rt_monotonic_nanoseconds() + 1_000_000) }
    }

    private func fill(_ chunk: Int) {
        let frames = frames(of: chunk..<chunk + 1)
        reusePages(for: group(of: chunk))
        read(frames, left: storage.left + frames.lowerBound, right: storage.right + frames.lowerBound)
        table.withLock { _ = $0.present.insert(chunk) }
        chunks[chunk].store(true, ordering: .sequentiallyConsistent)
    }

    private func evict() {
        let (present, pins, users) = table.withLock { table in
            (table.present, table.pins, table.users.values.compactMap(\.user))
        }
        for first in Set(present.map { group(of: $0).lowerBound }) {
            let group = group(of: first)
            if group.contains(where: { pins[$0] != nil }) {
                for chunk in group where present.contains(chunk) && pins[chunk] == nil {
                    if remove(chunk..<chunk + 1, for: users) { storage.discard(frames(of: chunk..<chunk + 1)) }
                }
            } else if remove(group, for: users) {
                spare(group)
            }
        }
    }

    /// Marks chunks as absent that nobody needs.
    ///
    /// - Returns: whether they are.
    private func remove(_ range: Range<Int>, for users: [any User]) -> Bool {
        let frames = frames(of: range)
        let needed = Int64(frames.lowerBound)..<Int64(frames.upperBound)
        if users.contains(where: { $0.needs(needed) }) { return false }
        let present = range.filter(isPresent)
        for chunk in present { chunks[chunk].store(false, ordering: .sequentiallyConsistent) }
        // Who has come meanwhile either finds the chunks absent, or is found here.
        let isFree = table.withLock { table in
            if range.contains(where: { table.pins[$0] != nil }) { return false }
            if table.users.values.contains(where: { $0.user?.needs(needed) ?? false }) { return false }
            table.present.subtract(present)
            return true
        }
        if !isFree { for chunk in present { chunks[chunk].store(true, ordering: .sequentiallyConsistent) } }
        return isFree
    }

    // MARK: Pages

    /// Keeps the pages of a group for another one, or gives them back.
    private func spare(_ group: Range<Int>) {
        if isWhole(group), spares.count < ClipWindow.mostSpares {
            spares.append(group.lowerBound)
        } else {
            storage.discard(frames(of: group))
        }
    }

    /// Gives a group of which a chunk is to be read the pages of one that nobody needs, if there is one and nothing of it
    /// is in memory.
    private func reusePages(for group: Range<Int>) {
        if let index = spares.firstIndex(of: group.lowerBound) {
            spares.remove(at: index)
            return
        }
        guard isWhole(group), !group.contains(where: isPresent), let first = spares.popLast() else { return }
        let spare = frames(of: self.group(of: first))
        if !storage.move(spare, to: frames(of: group).lowerBound) { storage.discard(spare) }
    }

    /// Gives the pages of all spare groups back.
    private func discardSpares() {
        for first in spares { storage.discard(frames(of: group(of: first))) }
        spares = []
    }

    /// Whether a group has all the frames that most have.
    private func isWhole(_ group: Range<Int>) -> Bool {
        frames(of: group).count == ClipWindow.groupChunks * ClipWindow.chunkFrames
    }

    // MARK: Reading

    /// Reads frames of the source. What can't be read is silent.
    private func read(_ frames: Range<Int>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        var done = 0
        do {
            var reading = try reading(at: frames.lowerBound)
            while done < frames.count {
                let count = try reading.reader.read(left: left + done, right: right + done, count: frames.count - done)
                if count == 0 { throw ClipWindowProblem.ended(frame: frames.lowerBound + done) }
                done += count
                reading.next += count
            }
            readings.append(reading)
            if readings.count > ClipWindow.mostReadings { readings.removeFirst() }
        } catch {
            table.withLock { $0.problem = "\(error)" }
            dsp_clear(left + done, frames.count - done)
            if right != left { dsp_clear(right + done, frames.count - done) }
        }
    }

    /// Takes the reader that delivers `frame` next, or else has the one that was used longest ago seek to it.
    private func reading(at frame: Int) throws -> Reading {
        if let index = readings.lastIndex(where: { $0.next == frame }) { return readings.remove(at: index) }
        if readings.count < ClipWindow.mostReadings {
            let reader = try source.open()
            if frame > 0 { try reader.seek(to: Int64(frame)) }
            return Reading(reader: reader, next: frame)
        }
        var oldest = readings.removeFirst()
        try oldest.reader.seek(to: Int64(frame))
        oldest.next = frame
        return oldest
    }

    // MARK: Samples

    package func copy(
        _ frames: Range<Int>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        withLease { read(frames, left: left, right: right) }
    }

    package func peak(in frames: Range<Int>) -> Float {
        var peak: Float = 0
        _ = hasPart(of: frames) {
            peak = max(peak, $0)
            return false
        }
        return peak
    }

    package func hasPeak(in frames: Range<Int>, where isLoud: (Float) -> Bool) -> Bool {
        if peaks == nil, !isLoud(1) { return false }
        return hasPart(of: frames, where: isLoud)
    }

    /// Whether something is true of the peak of a part of a range of frames.
    private func hasPart(of frames: Range<Int>, where isFound: (Float) -> Bool) -> Bool {
        let frames = frames.clamped(to: 0..<frameCount)
        guard let peaks else { return hasPartOnDisk(of: frames, where: isFound) }
        return chunkRange(frames).contains { chunk in
            let whole = self.frames(of: chunk..<chunk + 1)
            let part = whole.clamped(to: frames)
            if part == whole { return isFound(peaks[chunk]) }
            return isFound(ClipWindow.peak(storage.left + part.lowerBound, storage.right + part.lowerBound, part.count))
        }
    }

    private func hasPartOnDisk(of frames: Range<Int>, where isFound: (Float) -> Bool) -> Bool {
        let piece = SampleStorage(frames: ClipWindow.chunkFrames, channels: storage.channelCount)
        return stride(from: frames.lowerBound, to: frames.upperBound, by: ClipWindow.chunkFrames).contains { first in
            let count = min(ClipWindow.chunkFrames, frames.upperBound - first)
            copy(first..<first + count, left: piece.left, right: piece.right)
            return isFound(ClipWindow.peak(piece.left, piece.right, count))
        }
    }

    private static func peak(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int) -> Float {
        max(dsp_measure(left, count).peak, dsp_measure(right, count).peak)
    }
}

/// Why a file could not be read on.
private enum ClipWindowProblem: Error, CustomStringConvertible {
    case ended(frame: Int)

    var description: String {
        switch self {
        case .ended(let frame): "the file ends at frame \(frame), before it did when it was opened"
        }
    }
}

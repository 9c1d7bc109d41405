import CRealtime

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Memory for the samples of one or two channels, which can grow when a file turns out to be longer than its header
/// says.
///
/// Pages are allocated by the system on the first write: memory that is reserved and not used costs nothing.
package final class SampleStorage: @unchecked Sendable {
    /// The left channel.
    package private(set) var left: UnsafeMutablePointer<Float>
    /// The right channel; the same pointer as ``left`` for mono, and for channels that are shared.
    package private(set) var right: UnsafeMutablePointer<Float>
    /// The number of frames that fit.
    package private(set) var capacity: Int
    /// 1 or 2.
    package let channelCount: Int
    /// The length of the address range of each channel in bytes, if it was mapped here; else 0.
    private let mappedBytes: Int

    /// Reserves memory for `frames` frames, without touching it.
    package init(frames: Int, channels: Int) {
        precondition(frames >= 0 && (1...2).contains(channels), "samples have one or two channels")
        capacity = max(1, frames)
        channelCount = channels
        mappedBytes = 0
        left = SampleStorage.memory(nil, capacity)
        right = channels == 2 ? SampleStorage.memory(nil, capacity) : left
    }

    /// Creates `frames` frames of silence.
    package init(silent frames: Int, channels: Int) {
        precondition(frames > 0 && (1...2).contains(channels), "samples have one or two channels")
        capacity = frames
        channelCount = channels
        mappedBytes = 0
        left = SampleStorage.silence(frames)
        right = channels == 2 ? SampleStorage.silence(frames) : left
    }

    /// Reserves an address range for `frames` frames, of which a part is in memory at a time: what was written is given
    /// back with ``discard(_:)``.
    package init(mapped frames: Int, channels: Int) {
        precondition(frames > 0 && (1...2).contains(channels), "samples have one or two channels")
        capacity = frames
        channelCount = channels
        mappedBytes = frames * MemoryLayout<Float>.stride
        left = SampleStorage.map(mappedBytes)
        right = channels == 2 ? SampleStorage.map(mappedBytes) : left
    }

    /// The memory of each channel that has some of its own.
    private var memories: [UnsafeMutablePointer<Float>] { left == right ? [left] : [left, right] }

    /// Gives the memory of the right channel back where both are the same to the bit, as in many a file of one voice: what
    /// reads the samples, reads one channel then. They can't be written to, or grow, any more.
    ///
    /// - Parameter frames: how many frames were written.
    /// - Complexity: O(*n*) in the frames up to the first that is not the same.
    package func shareEqualChannels(_ frames: Int) {
        precondition(mappedBytes == 0 && frames <= capacity, "what is shared was written to memory of its own")
        guard left != right, memcmp(left, right, frames * MemoryLayout<Float>.stride) == 0 else { return }
        free(right)
        right = left
    }

    deinit {
        for channel in memories {
            if mappedBytes > 0 { munmap(channel, mappedBytes) } else { free(channel) }
        }
    }

    /// Gives the whole pages of a range of frames back to the system; they read as silence.
    package func discard(_ frames: Range<Int>) {
        for channel in memories {
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let first = (UInt(bitPattern: channel + frames.lowerBound) + page - 1) / page * page
            let end = UInt(bitPattern: channel + frames.upperBound) / page * page
            guard first < end, let place = UnsafeMutableRawPointer(bitPattern: first) else { continue }
            if madvise(place, Int(end - first), Int32(MADV_DONTNEED)) == 0 { continue }
            // Memory of a process that locks all of it: MADV_DONTNEED_LOCKED, from Linux 5.18 on.
            if madvise(place, Int(end - first), 24) == 0 { continue }
            munlock(place, Int(end - first))
            _ = madvise(place, Int(end - first), Int32(MADV_DONTNEED))
        }
    }

    /// Moves the pages of a range of frames of mapped memory to the frames from `first` on, whose samples are lost; where
    /// they were reads as silence. That takes a third of the time of giving pages back and being given others.
    ///
    /// - Returns: whether the system could; if not, the samples of both ranges are undefined.
    package func move(_ frames: Range<Int>, to first: Int) -> Bool {
        let bytes = frames.count * MemoryLayout<Float>.stride
        precondition(mappedBytes > 0, "only pages that were mapped are moved")
        for channel in memories {
            if rt_memory_move(channel + frames.lowerBound, channel + first, bytes) == 0 { return false }
        }
        return true
    }

    private static func map(_ bytes: Int) -> UnsafeMutablePointer<Float> {
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            preconditionFailure("there is no memory for the samples")
        }
        return memory.assumingMemoryBound(to: Float.self)
    }

    /// Makes room for `frames` frames; existing samples are kept, but their address may change.
    package func grow(to frames: Int) {
        if frames <= capacity { return }
        precondition(mappedBytes == 0, "an address range has its length for good")
        precondition(channelCount == 1 || left != right, "channels that are shared have their length for good")
        left = SampleStorage.memory(left, frames)
        right = channelCount == 2 ? SampleStorage.memory(right, frames) : left
        capacity = frames
    }

    /// Has the system allocate the pages of a range of frames now, so that writing to them does not fault.
    package func populate(_ frames: Range<Int>) {
        let frames = frames.clamped(to: 0..<capacity)
        if frames.isEmpty { return }
        for channel in memories {
            rt_memory_populate(channel + frames.lowerBound, frames.count * MemoryLayout<Float>.stride)
        }
    }

    private static func silence(_ frames: Int) -> UnsafeMutablePointer<Float> {
        guard let memory = calloc(frames, MemoryLayout<Float>.stride) else {
            preconditionFailure("there is no memory for the samples")
        }
        return memory.assumingMemoryBound(to: Float.self)
    }

    private static func memory(_ old: UnsafeMutablePointer<Float>?, _ frames: Int) -> UnsafeMutablePointer<Float> {
        let bytes = frames * MemoryLayout<Float>.stride
        guard let memory = realloc(old, bytes) else { preconditionFailure("there is no memory for the samples") }
        return memory.assumingMemoryBound(to: Float.self)
    }
}

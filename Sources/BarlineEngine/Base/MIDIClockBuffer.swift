/// A message of a MIDI clock, and where it lies in a block.
public struct MIDIClockMessage: BitwiseCopyable, Hashable, Sendable {
    /// The frame on which it is sent, 0 … the block's length − 1.
    public let offset: Int
    /// The number of its bytes, 1 or 3.
    public let count: Int
    /// Its status byte: a tick (0xF8), start (0xFA), continue (0xFB), stop (0xFC) or a song position (0xF2).
    public let status: UInt8
    /// The lower seven bits of a song position in sixteenths; 0 for other messages.
    public let second: UInt8
    /// The upper seven bits of a song position; 0 for other messages.
    public let third: UInt8

    @_noLocks init(offset: Int, status: UInt8, sixteenths: Int64) {
        self.offset = offset
        self.status = status
        count = status == MIDIClockMessage.songPosition ? 3 : 1
        second = UInt8(truncatingIfNeeded: sixteenths & 0x7f)
        third = UInt8(truncatingIfNeeded: sixteenths >> 7 & 0x7f)
    }

    /// Its bytes.
    public var bytes: [UInt8] { Array([status, second, third].prefix(count)) }

    static var tick: UInt8 { @_noLocks get { 0xf8 } }
    static var start: UInt8 { @_noLocks get { 0xfa } }
    static var goOn: UInt8 { @_noLocks get { 0xfb } }
    static var stop: UInt8 { @_noLocks get { 0xfc } }
    static var songPosition: UInt8 { @_noLocks get { 0xf2 } }
}

/// What carries the messages of a MIDI clock from the engine to an output (``AudioBlock/clock``).
///
/// The engine adds those of a block while it renders it. Behind ``Engine/outputLatency`` they may be due in a later
/// block: what an output has not taken waits here.
///
/// ```swift
/// block.clock = clock  // an UnsafeMutablePointer<MIDIClockBuffer>
/// engine.render(block)
/// while let message = clock.pointee.take(before: block.frames) { send(message) }
/// clock.pointee.finish(frames: block.frames)
/// ```
public struct MIDIClockBuffer: ~Copyable, @unchecked Sendable {
    private struct Entry: BitwiseCopyable {
        let time: Int64
        let sixteenths: Int64
        let status: UInt8
    }

    private let entries: UnsafeMutablePointer<Entry>
    private var first = 0
    private var count = 0
    /// The frames of all blocks before the present one.
    private var blockStart: Int64 = 0
    /// The time of the latest message.
    private var latest: Int64 = 0

    /// The most messages that wait: more than a block of 8,192 frames and the latency of an output have at the fastest
    /// tempo and the lowest sample rate.
    private static var capacity: Int { @_noLocks get { 1024 } }

    /// Creates an empty buffer.
    public init() { entries = .allocate(capacity: MIDIClockBuffer.capacity) }

    deinit { entries.deallocate() }

    /// Takes the next message of the present block.
    ///
    /// - Parameter frames: the block's length.
    /// - Returns: `nil` if there is no other one.
    @_noLocks public mutating func take(before frames: Int) -> MIDIClockMessage? {
        if count == 0 || entries[first].time >= blockStart + Int64(frames) { return nil }
        let entry = entries[first]
        first = (first + 1) % MIDIClockBuffer.capacity
        count -= 1
        return MIDIClockMessage(
            offset: Int(entry.time - blockStart), status: entry.status, sixteenths: entry.sixteenths)
    }

    /// Ends the present block, of so many frames. What was not taken of it is lost.
    ///
    /// - Complexity: O(*n*) in the messages that were not taken.
    @_noLocks public mutating func finish(frames: Int) {
        blockStart += Int64(frames)
        while count > 0, entries[first].time < blockStart {
            first = (first + 1) % MIDIClockBuffer.capacity
            count -= 1
        }
        if latest < blockStart { latest = blockStart }
        assert(checkInvariants(), "what waits is for blocks to come")
    }

    /// Whether the invariants hold: the first message that waits is not over, and none is later than the latest. O(1).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > MIDIClockBuffer.capacity || latest < blockStart { return false }
        return count == 0 || entries[first].time >= blockStart && entries[first].time <= latest
    }

    /// Adds a message so many frames after the block's first one, or together with the message before it if that is
    /// later; it is dropped where there is no room.
    @_noLocks mutating func add(_ status: UInt8, sixteenths: Int64 = 0, after frames: Int64) {
        if count == MIDIClockBuffer.capacity { return }
        if blockStart + frames > latest { latest = blockStart + frames }
        entries[(first + count) % MIDIClockBuffer.capacity] = Entry(
            time: latest, sixteenths: sixteenths, status: status)
        count += 1
    }
}

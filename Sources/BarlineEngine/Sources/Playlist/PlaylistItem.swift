import BarlineDSP
import BarlineTime

/// One entry of a playlist.
public struct PlaylistItem: Sendable, Identifiable {
    /// Its identity, of its own.
    public let id: PlaylistItemID
    /// Its audio.
    public var source: any PlaylistSource
    /// The source's first frame that is played.
    public var start: Int64
    /// The frame after the source's last one that is played; `nil` for its end.
    public var end: Int64?
    /// How loud it is played.
    public var gain: Decibels
    /// The track, album or other unit that it is a part of, for ``gain`` and displays; the player does not use it.
    public var title: String?

    /// An item that plays `source` from its frame `start` to before its frame `end`.
    public init(
        id: PlaylistItemID, source: any PlaylistSource, start: Int64 = 0, end: Int64? = nil, gain: Decibels = .unity,
        title: String? = nil
    ) {
        self.id = id
        self.source = source
        self.start = start
        self.end = end
        self.gain = gain
        self.title = title
    }

    /// The length in seconds, as the source gives it; `nil` where it does not.
    public var duration: Double? {
        guard let last = end ?? source.frameCount else { return nil }
        return max(0, Double(last - start)) / source.sampleRate.hertz
    }
}

/// A source of an item's audio. It is opened when it is needed, and closed as soon as its last frame is enqueued.
public protocol PlaylistSource: Sendable {
    /// The rate of its frames, as it is known before it is opened.
    var sampleRate: SampleRate { get }
    /// How many frames it seems to have, for a display; the end is where reading ends. `nil` where nobody knows.
    var frameCount: Int64? { get }
    /// Opens it.
    func open() throws -> sending any PlaylistReader
    /// Opens it, for as long as `isWanted` says so: then waits for a disk or a network, in opening and in reading, are to
    /// end early, with an error. Without it there is ``open()``.
    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader
}

extension PlaylistSource {
    /// Opens it; what it waits for is waited for to the end.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader { try open() }
}

/// One reading of a source, used by one thread at a time; its class need not be `Sendable`.
public protocol PlaylistReader: AnyObject {
    /// The rate of the frames that it gives.
    var sampleRate: SampleRate { get }
    /// Continues at `frame`, 0 or more.
    func seek(to frame: Int64) throws
    /// The next frames; may wait for them. `nil` at the end.
    func nextBuffer() throws -> PlaylistBuffer?
}

/// Frames of a source, left and right.
public struct PlaylistBuffer: Sendable {
    /// The left channel.
    public var left: [Float]
    /// The right channel, of the same length.
    public var right: [Float]

    /// Frames of two channels of one length.
    public init(left: [Float], right: [Float]) {
        precondition(left.count == right.count, "a buffer has as many frames on the right as on the left")
        self.left = left
        self.right = right
    }
}

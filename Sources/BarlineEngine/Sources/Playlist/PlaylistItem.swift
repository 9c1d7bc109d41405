import BarlineDSP
import BarlineTime

/// One entry of a playlist.
public struct PlaylistItem: Sendable, Identifiable {
    /// Its identifier, unique within the playlist.
    public let id: PlaylistItemID
    /// Its audio source.
    public var source: any PlaylistSource
    /// The first frame of the source to play, up to 2⁵³.
    public var start: Int64
    /// The frame after the last frame of the source to play; `nil`, or one after it, for the source's end.
    public var end: Int64?
    /// The gain at which it plays; its amplitude is finite.
    public var gain: Decibels
    /// The title of the track, album or other unit that it belongs to, for ``gain`` and displays; the player does not
    /// use it.
    public var title: String?

    /// The last frame that a source can have.
    static let lastFrame: Int64 = 1 << 53

    /// Creates an item that plays the frames of `source` from `start` up to, but not including, `end`.
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

    /// The length in seconds, as the source reports it; `nil` if it does not.
    public var duration: Double? {
        guard let last = end ?? source.frameCount else { return nil }
        return max(0, Double(last) - Double(start)) / source.sampleRate.hertz
    }
}

/// A source of an item's audio. It is opened when needed, and closed as soon as its last frame is enqueued.
public protocol PlaylistSource: Sendable {
    /// The sample rate, as known before it is opened.
    var sampleRate: SampleRate { get }
    /// The expected number of frames, for a display; the end is where reading ends. `nil` if unknown.
    var frameCount: Int64? { get }
    /// Opens the source.
    func open() throws -> sending any PlaylistReader
    /// Opens the source, for as long as `isWanted` returns `true`: after that, waits for a disk or a network, in
    /// opening and in reading, should end early, with an error. The default calls ``open()``.
    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader
}

extension PlaylistSource {
    /// Opens the source; waits in it are not cut short.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader { try open() }
}

/// A reader of a source, used by one thread at a time; its class need not be `Sendable`.
public protocol PlaylistReader: AnyObject {
    /// The sample rate of the frames it returns.
    var sampleRate: SampleRate { get }
    /// Continues at `frame`, 0 or more.
    func seek(to frame: Int64) throws
    /// The next frames; may wait for them. `nil` at the end.
    func nextBuffer() throws -> PlaylistBuffer?
}

/// A buffer of stereo frames of a source.
public struct PlaylistBuffer: Sendable {
    /// The left channel.
    public var left: [Float]
    /// The right channel, of the same length.
    public var right: [Float]

    /// Creates a buffer of two channels of equal length.
    public init(left: [Float], right: [Float]) {
        precondition(left.count == right.count, "a buffer has as many frames on the right as on the left")
        self.left = left
        self.right = right
    }
}

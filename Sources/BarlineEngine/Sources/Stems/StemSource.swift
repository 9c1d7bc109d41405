import BarlineTime

/// Where a stem's audio comes from. It is read by feeder threads, never by the audio thread.
///
/// Several threads may ask a source at once. A reader is handed over when it is opened: it is used by one thread at a time,
/// and needs no lock.
public protocol StemSource: Sendable {
    /// The rate of the source's frames.
    var sampleRate: SampleRate { get }
    /// How many frames it seems to have, for a display. The end is where reading ends.
    var frameCount: Int64 { get }
    /// Opens the source once more. Several readers of one source are in use at a time.
    func open() throws -> sending any StemReader
}

/// One reading of a source, used by one thread at a time; its class need not be `Sendable`.
public protocol StemReader: AnyObject {
    /// Continues at `frame`, 0 or more.
    func seek(to frame: Int64) throws
    /// Reads the next frames, up to `count`. May wait for them.
    ///
    /// - Returns: how many were read; 0 only at the end.
    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int
}

/// One stem of a multitrack.
public struct Stem: Sendable {
    /// The audio.
    public var source: any StemSource
    /// The source's frame that sounds at position 0; below 0 the stem begins so much later.
    public var offset: Int64

    /// A stem that begins at `offset` frames into its source.
    public init(_ source: any StemSource, offset: Int64 = 0) {
        self.source = source
        self.offset = offset
    }

    /// The stem's length from position 0, in seconds, as the source tells it.
    public var duration: Double { max(0, Double(source.frameCount) - Double(offset)) / source.sampleRate.hertz }
}

import BarlineTime

/// The source of a stem's audio.
public typealias StemSource = StreamSource

/// A reader of a stem's source.
public typealias StemReader = StreamReader

/// One stem of a multitrack.
public struct Stem: Sendable {
    /// The audio.
    public var source: any StemSource
    /// The source's frame at position 0; below 0 the stem begins that much later.
    public var offset: Int64
    /// The time-stretch that keeps its pitch while it follows the tempo; `nil` for none.
    package var stretching: StemStretching?

    /// Creates a stem that begins at `offset` frames into its source.
    public init(_ source: any StemSource, offset: Int64 = 0) {
        self.source = source
        self.offset = offset
    }

    /// The stem's length from position 0, in seconds, as the source reports it.
    public var duration: Double { max(0, Double(source.frameCount) - Double(offset)) / source.sampleRate.hertz }
}

import BarlineTime

/// Where a stem's audio comes from.
public typealias StemSource = StreamSource

/// One reading of a stem's source.
public typealias StemReader = StreamReader

/// One stem of a multitrack.
public struct Stem: Sendable {
    /// The audio.
    public var source: any StemSource
    /// The source's frame that sounds at position 0; below 0 the stem begins so much later.
    public var offset: Int64
    /// How its pitch is kept while it follows the tempo; `nil` where it is not.
    package var stretching: StemStretching?

    /// A stem that begins at `offset` frames into its source.
    public init(_ source: any StemSource, offset: Int64 = 0) {
        self.source = source
        self.offset = offset
    }

    /// The stem's length from position 0, in seconds, as the source gives it.
    public var duration: Double { max(0, Double(source.frameCount) - Double(offset)) / source.sampleRate.hertz }
}

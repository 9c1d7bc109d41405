import BarlineDSP
import BarlineFiles

/// The waveform of audio: a number of points that is independent of its length.
public struct Waveform: Hashable, Sendable {
    /// A point, over all channels.
    public struct Point: Hashable, Sendable {
        /// The root mean square.
        public let rms: Float
        /// The lowest sample.
        public let min: Float
        /// The highest sample.
        public let max: Float

        /// Creates a point.
        package init(rms: Float, min: Float, max: Float) {
            self.rms = rms
            self.min = min
            self.max = max
        }
    }

    /// The points, from start to end.
    public let points: [Point]

    /// A waveform of points that are there already.
    package init(points: [Point]) { self.points = points }

    /// Computes `count` points, each over an equal share of the frames; if there are fewer frames than points,
    /// neighbours share a frame.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - count: the number of points, at least 1.
    /// - Complexity: O(*n*) in the frames.
    public init(of buffer: SampleBuffer, count: Int) {
        precondition(count > 0, "a waveform has at least one point")
        let frames = buffer.frameCount
        let channels = buffer.channelCount == 1 ? [buffer.left] : [buffer.left, buffer.right]
        points = (0..<count).map { index in
            let first = Int((Int64(index) * Int64(frames)) / Int64(count))
            let end = Swift.max(first + 1, Int((Int64(index + 1) * Int64(frames)) / Int64(count)))
            return Waveform.point(channels, first..<end)
        }
    }

    private static func point(_ channels: [UnsafePointer<Float>], _ range: Range<Int>) -> Point {
        var lowest = Float.infinity
        var highest = -Float.infinity
        var square = 0.0
        for channel in channels {
            for frame in range {
                let sample = channel[frame]
                lowest = Swift.min(lowest, sample)
                highest = Swift.max(highest, sample)
                square += Double(sample) * Double(sample)
            }
        }
        let mean = square / Double(range.count * channels.count)
        return Point(rms: Float(mean.squareRoot()), min: lowest, max: highest)
    }
}

import BarlineFiles
import BarlineTime

/// A sound's shape at every zoom: cells of 256 frames, of four times as many, and so on up to one for all.
///
/// It takes 6 kB for a second of sound at 48 kHz, and any number of points over any part of the sound are read from it
/// in a time that depends on their number alone.
package struct WaveformPyramid: Hashable, Sendable {
    /// Frames in a cell of the finest level.
    package static let cellFrames = 256
    /// Cells of a level that make one of the next.
    static let ratio = 4

    /// Frames of the sound.
    package let frameCount: Int
    /// The sound's sample rate.
    package let sampleRate: SampleRate
    /// From the finest level to the one with a single cell.
    let levels: [[Cell]]

    /// The shape of a part of the sound, over all channels.
    struct Cell: Hashable, Sendable {
        var low: Float = .infinity
        var high: Float = -.infinity
        /// The sum of the squares of all samples.
        var energy: Double = 0
        /// Frames; all channels together are one.
        var frames = 0

        mutating func add(_ other: Cell) {
            low = min(low, other.low)
            high = max(high, other.high)
            energy += other.energy
            frames += other.frames
        }
    }

    /// Builds the coarser levels on the finest.
    init(cells: [Cell], frameCount: Int, sampleRate: SampleRate, channelCount: Int) {
        var levels = [cells]
        while let last = levels.last, last.count > 1 {
            levels.append(
                stride(from: 0, to: last.count, by: WaveformPyramid.ratio).map { start in
                    var sum = Cell()
                    for cell in last[start..<min(last.count, start + WaveformPyramid.ratio)] { sum.add(cell) }
                    return sum
                })
        }
        self.levels = levels
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Channels that the samples are of, 1 or 2.
    let channelCount: Int

    /// Reads a file once from front to back, on the calling thread.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - progress: is called with the share that is done, 0 … 1; what it throws ends the reading.
    /// - Throws: ``AudioFileError``, or what `progress` throws.
    package init(path: String, progress: (Double) throws -> Void = { _ in }) throws {
        let folded = try FoldedReader(path: path)
        var builder = WaveformPyramidBuilder()
        var left: [Float] = []
        var right: [Float] = []
        while try folded.read(into: &left, &right) {
            builder.add(left: left, right: right)
            left.removeAll(keepingCapacity: true)
            right.removeAll(keepingCapacity: true)
            try progress(min(1, Double(folded.position) / Double(max(1, folded.reader.frameCount))))
        }
        self = builder.finish(sampleRate: folded.reader.sampleRate)
    }

    /// Exactly `count` points over a part of the sound, each over an equal share of the frames.
    ///
    /// Where shares begin and end is rounded to 256 frames: 5 ms at 48 kHz. A share of less than that is the cell in
    /// which its middle is.
    ///
    /// - Parameters:
    ///   - count: at least 1.
    ///   - range: frames of the sound; all if `nil`.
    /// - Returns: the points from the part's start to its end.
    package func points(_ count: Int, in range: Range<Int>? = nil) -> [Waveform.Point] {
        precondition(count > 0, "a waveform has at least one point")
        let range = (range ?? 0..<frameCount).clamped(to: 0..<frameCount)
        guard let finest = levels.first, !finest.isEmpty, !range.isEmpty else {
            return Array(repeating: Waveform.Point(rms: 0, min: 0, max: 0), count: count)
        }
        func cell(_ index: Int) -> Double {
            // The last frames of the sound are a cell even where they are few.
            if index == count, range.upperBound == frameCount { return Double(finest.count) }
            let frame = Double(range.lowerBound) + Double(index) * Double(range.count) / Double(count)
            return frame / Double(WaveformPyramid.cellFrames)
        }
        return (0..<count).map { index in
            var first = Int(cell(index).rounded())
            var end = Int(cell(index + 1).rounded())
            if end <= first {
                first = min(finest.count - 1, Int((cell(index) + cell(index + 1)) / 2))
                end = first + 1
            }
            return point(min(first, finest.count - 1)..<min(max(end, first + 1), finest.count))
        }
    }

    /// The sum of a range of cells of the finest level: of coarser ones where they are in it whole.
    private func point(_ range: Range<Int>) -> Waveform.Point {
        var sum = Cell()
        var (first, end) = (range.lowerBound, max(range.lowerBound + 1, range.upperBound))
        for level in levels.indices {
            let isLast = level == levels.count - 1
            let ratio = WaveformPyramid.ratio
            while first < end, isLast || first % ratio != 0 {
                sum.add(levels[level][first])
                first += 1
            }
            // The last cell of a level may be made of fewer cells than others; it is whole nevertheless.
            let isWhole = end == levels[level].count
            while end > first, !isWhole, end % ratio != 0 {
                end -= 1
                sum.add(levels[level][end])
            }
            if first >= end { break }
            first /= ratio
            end = isWhole ? levels[level + 1].count : end / ratio
        }
        let samples = Double(max(1, sum.frames * channelCount))
        return Waveform.Point(rms: Float((sum.energy / samples).squareRoot()), min: sum.low, max: sum.high)
    }
}

/// Takes in a sound piece by piece.
struct WaveformPyramidBuilder {
    private var cells: [WaveformPyramid.Cell] = []
    private var cell = WaveformPyramid.Cell()
    private var frameCount = 0
    private var channelCount = 1

    /// Takes in samples.
    ///
    /// - Parameters:
    ///   - left: the left channel.
    ///   - right: the right channel, as long; empty for mono.
    mutating func add(left: [Float], right: [Float]) {
        channelCount = right.isEmpty ? 1 : 2
        var start = 0
        while start < left.count {
            let end = min(left.count, start + WaveformPyramid.cellFrames - cell.frames)
            cell.add(WaveformPyramidBuilder.shape(left[start..<end]))
            if !right.isEmpty {
                var other = WaveformPyramidBuilder.shape(right[start..<end])
                other.frames = 0
                cell.add(other)
            }
            frameCount += end - start
            start = end
            if cell.frames == WaveformPyramid.cellFrames {
                cells.append(cell)
                cell = WaveformPyramid.Cell()
            }
        }
    }

    /// The pyramid.
    mutating func finish(sampleRate: SampleRate) -> WaveformPyramid {
        if cell.frames > 0 { cells.append(cell) }
        return WaveformPyramid(
            cells: cells, frameCount: frameCount, sampleRate: sampleRate, channelCount: channelCount)
    }

    private static func shape(_ samples: ArraySlice<Float>) -> WaveformPyramid.Cell {
        var cell = WaveformPyramid.Cell(frames: samples.count)
        for sample in samples {
            cell.low = min(cell.low, sample)
            cell.high = max(cell.high, sample)
            cell.energy += Double(sample) * Double(sample)
        }
        return cell
    }
}

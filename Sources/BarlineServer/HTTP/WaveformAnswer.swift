import BarlineAnalysis
import BarlineDSP
import BarlineFiles
import BarlineSession

/// The shape of a part of a sound, as whole numbers of which 127 is full scale.
struct WaveformAnswer {
    private struct Point {
        var low: Float = 0
        var high: Float = 0
        var square = 0.0
        var count = 0

        mutating func add(_ sample: Float) {
            low = count == 0 ? sample : min(low, sample)
            high = count == 0 ? sample : max(high, sample)
            square += Double(sample) * Double(sample)
            count += 1
        }
    }

    private let range: Range<Int>
    private let frames: Int
    private let rate: Double
    private var points: [Point]

    init(_ samples: SampleBuffer, points count: Int, from: Int?, to: Int?) throws(RequestError) {
        range = try WaveformAnswer.range(from, to, frames: samples.frameCount)
        frames = samples.frameCount
        rate = samples.sampleRate.hertz
        points = Array(repeating: Point(), count: count)
        let channels = samples.channelCount == 1 ? [samples.left] : [samples.left, samples.right]
        for index in 0..<count {
            let frames = span(index)
            for channel in channels { for frame in frames { points[index].add(channel[frame]) } }
        }
    }

    init(
        _ file: StemFile, waveforms: WaveformStore, points count: Int, from: Int?, to: Int?
    ) throws(RequestError) {
        range = try WaveformAnswer.range(from, to, frames: Int(file.frameCount))
        frames = Int(file.frameCount)
        rate = file.sampleRate.hertz
        points = Array(repeating: Point(), count: count)
        do {
            if range.count / count < WaveformAnswer.coarse {
                try read(try AudioFileStream(path: file.path))
            } else {
                points = try waveforms.pyramid(ofFile: file.path).points(count, in: range).map { point in
                    Point(low: point.min, high: point.max, square: Double(point.rms) * Double(point.rms), count: 1)
                }
            }
        } catch {
            throw RequestError(.notFound, "\(error)")
        }
    }

    /// Frames in a point from which on it does not matter that its edges are rounded to a pyramid's cells.
    private static let coarse = 8 * WaveformPyramid.cellFrames

    private mutating func read(_ stream: AudioFileStream) throws(AudioFileError) {
        let capacity = AudioFileStream.pieceFrames
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
        defer { storage.deallocate() }
        try stream.seek(to: Int64(range.lowerBound))
        var next = range.lowerBound
        while next < range.upperBound {
            let wanted = min(capacity, range.upperBound - next)
            let read = try stream.read(left: storage, right: storage + capacity, count: wanted)
            if read == 0 { break }
            for offset in 0..<read {
                let place = Int(Int64(next + offset - range.lowerBound) * Int64(points.count) / Int64(range.count))
                points[place].add(storage[offset])
                points[place].add(storage[capacity + offset])
            }
            next += read
        }
    }

    private static func range(_ from: Int?, _ to: Int?, frames: Int) throws(RequestError) -> Range<Int> {
        let first = from ?? 0
        let last = min(to ?? frames, frames)
        guard first < last else {
            throw RequestError(.badRequest, "from, to: expected frames in order, within the file's \(frames)")
        }
        return first..<last
    }

    private func span(_ index: Int) -> Range<Int> {
        let first = range.lowerBound + Int(Int64(index) * Int64(range.count) / Int64(points.count))
        let end = range.lowerBound + Int(Int64(index + 1) * Int64(range.count) / Int64(points.count))
        return first..<max(first + 1, end)
    }

    var json: JSONValue {
        func scaled(_ value: Float) -> JSONValue { .number(Double((max(-1, min(1, value)) * 127).rounded())) }
        return [
            "points": .number(Double(points.count)), "from": .number(Double(range.lowerBound)),
            "to": .number(Double(range.upperBound)), "frames": .number(Double(frames)), "sampleRate": .number(rate),
            "min": .array(points.map { scaled($0.low) }), "max": .array(points.map { scaled($0.high) }),
            "rms": .array(points.map { scaled(Float(($0.square / Double(max(1, $0.count))).squareRoot())) }),
        ]
    }
}

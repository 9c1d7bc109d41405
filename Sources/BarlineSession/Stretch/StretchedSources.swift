import BarlineEngine
import BarlineTime

/// A stem that is played higher or lower than it was recorded.
struct StretchedStem: StemSource {
    let source: any StemSource
    let stretch: SongStretch

    var sampleRate: SampleRate { source.sampleRate }
    var frameCount: Int64 { stretch.frames(of: source.frameCount) }

    func open() throws -> sending any StemReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StemReader {
        try StretchedReader(
            try source.open(while: isWanted), stretch, sampleRate: sampleRate, frameCount: source.frameCount)
    }
}

/// A part of an item of a playlist that is played faster or slower, higher or lower than it was recorded.
struct StretchedItem: PlaylistSource {
    let source: any PlaylistSource
    let stretch: SongStretch
    /// The source's first frame that is played.
    let start: Int64
    /// The frame after the source's last one that is played; `nil` for its end.
    let end: Int64?

    var sampleRate: SampleRate { source.sampleRate }
    var frameCount: Int64? {
        (end ?? source.frameCount).map { stretch.frames(of: max(0, $0 - start)) }
    }

    func open() throws -> sending any PlaylistReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader {
        let count = source.frameCount.map { max(0, $0 - start) }
        return try Reader(try source.open(while: isWanted), stretch, frameCount: count, start: start, end: end)
    }

    /// One reading of it.
    private final class Reader: PlaylistReader {
        private static let bufferFrames = 4_096
        let sampleRate: SampleRate
        private let reader: StretchedReader

        init(_ source: any PlaylistReader, _ stretch: SongStretch, frameCount: Int64?, start: Int64, end: Int64?)
            throws
        {
            sampleRate = source.sampleRate
            let rate = source.sampleRate
            let frames: any StreamReader =
                stretch.movesFormants
                ? FormantReader(Frames(source), ratio: stretch.formantRatio, sampleRate: rate) : Frames(source)
            reader = try StretchedReader(
                frames, stretch, sampleRate: source.sampleRate, frameCount: frameCount, start: start,
                end: end)
        }

        func seek(to frame: Int64) throws { try reader.seek(to: frame) }

        func nextBuffer() throws -> PlaylistBuffer? {
            var left = [Float](repeating: 0, count: Reader.bufferFrames)
            var right = left
            let count = try left.withUnsafeMutableBufferPointer { left in
                try right.withUnsafeMutableBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                    return try reader.read(left: left, right: right, count: Reader.bufferFrames)
                }
            }
            if count == 0 { return nil }
            left.removeLast(Reader.bufferFrames - count)
            right.removeLast(Reader.bufferFrames - count)
            return PlaylistBuffer(left: left, right: right)
        }
    }

    /// Reads from an item as many frames as are asked for.
    private final class Frames: StreamReader {
        private let source: any PlaylistReader
        private var buffer = PlaylistBuffer(left: [], right: [])
        private var taken = 0

        init(_ source: any PlaylistReader) { self.source = source }

        func seek(to frame: Int64) throws {
            buffer = PlaylistBuffer(left: [], right: [])
            taken = 0
            try source.seek(to: frame)
        }

        func read(
            left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
        ) throws -> Int {
            while taken == buffer.left.count {
                guard let next = try source.nextBuffer() else { return 0 }
                buffer = next
                taken = 0
            }
            let frames = min(count, buffer.left.count - taken)
            for index in 0..<frames {
                left[index] = buffer.left[taken + index]
                right[index] = buffer.right[taken + index]
            }
            taken += frames
            return frames
        }
    }
}

import BarlineEngine
import BarlineFiles
import BarlineTime

/// The files of a render's inputs, moved to where it was played.
final class InputSinks {
    private let recording: StripRecording
    private let files: [AudioFileWriter]
    /// The frames that each file has.
    private var counts: [Int64]
    private var pending: [StripPiece] = []

    /// - Parameters:
    ///   - inputs: the session's strips that are inputs, and the file of each.
    ///   - engine: what renders.
    ///   - blockFrames: the longest block.
    /// - Throws: ``EngineError`` if a strip can't be recorded.
    init(_ inputs: [(SessionStrip, AudioFileWriter)], _ engine: Engine, blockFrames: Int) throws(EngineError) {
        recording = try engine.mixer.record(inputs.map(\.0.strip), frames: 2 * blockFrames)
        files = inputs.map(\.1)
        counts = files.map { _ in 0 }
    }

    /// The largest latency of the inputs, in frames.
    var lateness: Int64 { max(0, files.indices.map(recording.latency(of:)).max() ?? 0) }

    /// Takes what was rendered before `now`; to be called after each block.
    ///
    /// - Parameters:
    ///   - now: the frame after the last one that was rendered.
    ///   - first: the first frame that is written.
    func collect(renderedTo now: FrameTime, from first: FrameTime) {
        pending += recording.take(before: now).filter { $0.frame + Int64($0.left.count) > first }
    }

    /// Writes what belongs to `range`, whose beginning is that of the files.
    func write(_ range: Range<FrameTime>) throws(AudioFileError) {
        defer { pending = [] }
        for piece in pending {
            guard let piece = piece.within(range) else { continue }
            try fill(piece.strip, to: piece.frame - range.lowerBound)
            try write(piece.left, piece.right, to: piece.strip)
        }
    }

    /// Completes the files: they have `frames` frames.
    func finish(frames: Int64) throws(AudioFileError) {
        for index in files.indices {
            try fill(index, to: frames)
            try files[index].finish()
        }
    }

    private func fill(_ index: Int, to frames: Int64) throws(AudioFileError) {
        let missing = frames - counts[index]
        if missing <= 0 { return }
        let silence = [Float](repeating: 0, count: Int(missing))
        try write(silence, silence, to: index)
    }

    private func write(_ left: [Float], _ right: [Float], to index: Int) throws(AudioFileError) {
        let count = left.count
        counts[index] += Int64(count)
        try left.withUnsafeBufferPointer { left throws(AudioFileError) in
            try right.withUnsafeBufferPointer { right throws(AudioFileError) in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                try files[index].write(left: left, right: right, frames: count)
            }
        }
    }
}

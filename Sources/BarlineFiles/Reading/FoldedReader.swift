import CKernels

/// Reads a file from front to back, folded to one or two channels, and reports what is wrong with it.
package final class FoldedReader {
    package let reader: AudioFileReader
    /// Frames read so far.
    package private(set) var position = 0
    private var buffer: FrameBuffer

    /// The most frames that are read at once.
    static let chunk = 8_192

    /// Opens a file.
    package init(path: String) throws(AudioFileError) {
        reader = try AudioFileReader(path: path)
        buffer = FrameBuffer(channelCount: reader.channelCount)
    }

    /// Appends the next frames to both channels, or to the left one alone where the file is mono; `false` at the end.
    ///
    /// - Throws: ``AudioFileError`` where a sample is no number, or the file ends before its header says.
    package func read(into left: inout [Float], _ right: inout [Float]) throws(AudioFileError) -> Bool {
        let count = try decode(frames: FoldedReader.chunk)
        if count == 0 { return false }
        let start = left.count
        left.append(contentsOf: repeatElement(0, count: count))
        if reader.channelCount > 1 { right.append(contentsOf: repeatElement(0, count: count)) }
        return try left.withUnsafeMutableBufferPointer { left throws(AudioFileError) in
            try right.withUnsafeMutableBufferPointer { right throws(AudioFileError) in
                guard let left = left.baseAddress else { return false }
                // An empty array's address is nobody's memory.
                let other = reader.channelCount == 1 ? left : right.baseAddress ?? left
                try part(count, left + start, other + start)
                return true
            }
        }
    }

    /// Reads up to `frames` frames into memory; where the file is mono, `right` is left alone.
    ///
    /// - Returns: how many were read, ``chunk`` at most; 0 at the end.
    /// - Throws: ``AudioFileError`` where a sample is no number, or the file ends before its header says.
    package func read(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
    ) throws(AudioFileError) -> Int {
        let wanted = min(frames, FoldedReader.chunk)
        if reader.channelCount == 1 {
            // Decoded where it stays.
            let count = reader.read(into: left, frames: wanted)
            if count == 0 { try checkEnd() }
            try check(dsp_find_not_finite(left, count), of: count)
            position += count
            return count
        }
        let count = try decode(frames: wanted)
        if count > 0 { try part(count, left, right) }
        return count
    }

    /// Decodes the next frames as they are in the file.
    private func decode(frames: Int) throws(AudioFileError) -> Int {
        let count = buffer.read(reader, frames: frames)
        if count == 0 { try checkEnd() }
        return count
    }

    /// Puts frames that were decoded where they are wanted.
    private func part(
        _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) {
        let bad = buffer.part(left, right, frames: count)
        try check(bad, of: count)
        position += count
    }

    private func check(_ bad: Int, of count: Int) throws(AudioFileError) {
        if bad < count { throw .notFinite(path: reader.path, frame: position + bad) }
    }

    private func checkEnd() throws(AudioFileError) {
        let path = reader.path
        guard position > 0 else {
            if reader.missingFrames > 0 { throw .truncated(path: path, frames: 0, expected: max(1, reader.frameCount)) }
            throw .empty(path: path)
        }
        let isCounted = reader.isLengthKnown && reader.frameCount > 0 && reader.frameCount < .max
        if isCounted, Int64(position) < reader.frameCount {
            throw .truncated(path: path, frames: Int64(position), expected: reader.frameCount)
        }
        if reader.missingFrames > 0 {
            throw .truncated(
                path: path, frames: Int64(position), expected: Int64(position) + reader.missingFrames)
        }
    }
}

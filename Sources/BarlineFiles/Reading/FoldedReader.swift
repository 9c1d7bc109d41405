/// Reads a file from front to back, folded to one or two channels, and tells what is wrong with it.
package final class FoldedReader {
    package let reader: AudioFileReader
    /// Frames read so far.
    package private(set) var position = 0
    private let fold: ChannelFold
    private var interleaved: [Float]

    /// The most frames that are read at once.
    package static let chunk = 65_536

    /// Opens a file.
    package init(path: String) throws(AudioFileError) {
        reader = try AudioFileReader(path: path)
        fold = ChannelFold(channelCount: reader.channelCount)
        interleaved = Array(repeating: 0, count: FoldedReader.chunk * reader.channelCount)
    }

    /// Appends the next frames to both channels, or to the left one alone where the file is mono; `false` at the end.
    ///
    /// - Throws: ``AudioFileError`` where a sample is no number, or the file ends before its header says.
    package func read(into left: inout [Float], _ right: inout [Float]) throws(AudioFileError) -> Bool {
        let channels = reader.channelCount
        let count = interleaved.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { reader.read(into: $0, frames: FoldedReader.chunk) } ?? 0
        }
        guard count > 0 else {
            try checkEnd()
            return false
        }
        if let bad = interleaved[..<(count * channels)].firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(path: reader.path, frame: position + bad / channels)
        }
        append(count, &left, &right)
        position += count
        return true
    }

    private func checkEnd() throws(AudioFileError) {
        let path = reader.path
        guard position > 0 else {
            if reader.missingBytes > 0 { throw .truncated(path: path, frames: 0, expected: max(1, reader.frameCount)) }
            throw .empty(path: path)
        }
        let isCounted = reader.isLengthKnown && reader.frameCount > 0 && reader.frameCount < .max
        if isCounted, Int64(position) < reader.frameCount {
            throw .truncated(path: path, frames: Int64(position), expected: reader.frameCount)
        }
        if reader.missingBytes > 0 {
            let framesMissing = max(1, reader.missingBytes / Int64(2 * reader.channelCount))
            throw .truncated(path: path, frames: Int64(position), expected: Int64(position) + framesMissing)
        }
    }

    private func append(_ count: Int, _ left: inout [Float], _ right: inout [Float]) {
        let channels = reader.channelCount
        if channels == 1 {
            left.append(contentsOf: interleaved[..<count])
            return
        }
        let start = left.count
        left.append(contentsOf: repeatElement(0, count: count))
        right.append(contentsOf: repeatElement(0, count: count))
        interleaved.withUnsafeBufferPointer { samples in
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    for frame in 0..<count {
                        if channels == 2 {
                            left[start + frame] = samples[2 * frame]
                            right[start + frame] = samples[2 * frame + 1]
                            continue
                        }
                        for channel in 0..<channels {
                            let sample = samples[frame * channels + channel]
                            left[start + frame] += sample * fold.left[channel]
                            right[start + frame] += sample * fold.right[channel]
                        }
                    }
                }
            }
        }
    }
}

import BarlineDSP
import BarlineTime
import Foundation

/// A decoded file: its samples, shared and read-only, and what the file says of itself.
public struct AudioClip: Sendable {
    /// The file's path.
    public let path: String
    /// The samples, folded to one or two channels.
    public let samples: SampleBuffer
    /// What the file says of itself; its tempo may be from the file's name.
    public let metadata: AudioMetadata

    /// The most frames that a clip may have: more than four hours at 48 kHz.
    public static let frameLimit: Int64 = 800_000_000

    /// Decodes the file at `path`, on the calling thread.
    ///
    /// - Throws: ``AudioFileError`` where the file can't be read to its end or has a sample that is no number.
    public init(path: String) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        samples = try AudioClip.decode(reader)
        var metadata = reader.metadata
        if metadata.tempo == nil {
            metadata.tempo = AudioMetadata.tempo(inName: (path as NSString).lastPathComponent)
        }
        self.metadata = metadata
        self.path = path
    }

    private static func decode(_ reader: AudioFileReader) throws(AudioFileError) -> SampleBuffer {
        let path = reader.path
        let channels = reader.channelCount
        let chunk = 65_536
        var interleaved = [Float](repeating: 0, count: chunk * channels)
        let fold = ChannelFold(channelCount: channels)
        var left: [Float] = []
        var right: [Float] = []
        // The header may promise anything: only what is read takes memory.
        left.reserveCapacity(Int(min(max(0, reader.frameCount), 1 << 22)))
        while true {
            let count = interleaved.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { reader.read(into: $0, frames: chunk) } ?? 0
            }
            if count == 0 { break }
            if let bad = interleaved[..<(count * channels)].firstIndex(where: { !$0.isFinite }) {
                throw .notFinite(path: path, frame: left.count + bad / channels)
            }
            if Int64(left.count + count) > frameLimit {
                throw .tooLong(path: path, frames: Int64(left.count + count), limit: frameLimit)
            }
            append(interleaved, count, channels, fold, &left, &right)
        }
        guard !left.isEmpty else {
            if reader.missingBytes > 0 { throw .truncated(path: path, frames: 0, expected: max(1, reader.frameCount)) }
            throw .empty(path: path)
        }
        let isCounted = reader.isLengthKnown && reader.frameCount > 0 && reader.frameCount < .max
        if isCounted, Int64(left.count) < reader.frameCount {
            throw .truncated(path: path, frames: Int64(left.count), expected: reader.frameCount)
        }
        if reader.missingBytes > 0 {
            let framesMissing = max(1, reader.missingBytes / Int64(2 * channels))
            throw .truncated(path: path, frames: Int64(left.count), expected: Int64(left.count) + framesMissing)
        }
        return SampleBuffer(left: left, right: channels == 1 ? nil : right, sampleRate: reader.sampleRate)
    }

    private static func append(
        _ interleaved: [Float], _ count: Int, _ channels: Int, _ fold: ChannelFold, _ left: inout [Float],
        _ right: inout [Float]
    ) {
        switch channels {
        case 1: left.append(contentsOf: interleaved[..<count])
        case 2:
            for frame in 0..<count {
                left.append(interleaved[2 * frame])
                right.append(interleaved[2 * frame + 1])
            }
        default:
            for frame in 0..<count {
                var sumLeft: Float = 0
                var sumRight: Float = 0
                for channel in 0..<channels {
                    let sample = interleaved[frame * channels + channel]
                    sumLeft += sample * fold.left[channel]
                    sumRight += sample * fold.right[channel]
                }
                left.append(sumLeft)
                right.append(sumRight)
            }
        }
    }
}

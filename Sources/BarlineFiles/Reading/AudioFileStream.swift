import BarlineTime

/// Reads a file piece by piece, folded to two channels, for whoever can't have it in memory as a whole.
public final class AudioFileStream: @unchecked Sendable {
    private let reader: AudioFileReader
    private let fold: ChannelFold
    private var interleaved: [Float] = []
    private var next: Int64 = 0
    private var isBeyondEnd = false
    /// What is wrong with the frame that comes next.
    private var failure: AudioFileError?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a file's path, or an `http` or `https` URL.
    ///   - cancellation: ends waits for the network, this call's included.
    /// - Throws: ``AudioFileError``.
    public init(path: String, cancellation: ReadCancellation = ReadCancellation()) throws(AudioFileError) {
        reader = try AudioFileReader(path: path, cancellation: cancellation)
        fold = ChannelFold(channelCount: reader.channelCount)
        if reader.missingBytes > 0 {
            let frames = max(1, reader.missingBytes / Int64(2 * reader.channelCount))
            throw .truncated(path: path, frames: max(0, reader.frameCount), expected: reader.frameCount + frames)
        }
    }

    /// The file's sample rate.
    public var sampleRate: SampleRate { reader.sampleRate }
    /// The file's path, or its URL.
    public var path: String { reader.path }
    /// The file's channels, 1 … 8.
    public var channelCount: Int { reader.channelCount }
    /// The length that the header gives, in frames; 0 for a stream without end.
    public var frameCount: Int64 { reader.frameCount }

    /// Continues at `frame`; beyond the end there is nothing to read.
    public func seek(to frame: Int64) throws(AudioFileError) {
        if frame == next { return }
        failure = nil
        isBeyondEnd = reader.isLengthKnown && frame >= reader.frameCount
        if isBeyondEnd {
            next = frame
            return
        }
        next = frame
        guard reader.seek(to: frame) else {
            throw .cannotOpen(path: reader.path, reason: "its frame \(frame) can't be found")
        }
    }

    /// Reads the next frames, up to `count`.
    ///
    /// - Returns: how many were read; 0 at the end.
    /// - Throws: ``AudioFileError/notFinite(path:frame:)``, ``AudioFileError/connectionLost(url:reason:)``.
    public func read(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(AudioFileError) -> Int {
        if isBeyondEnd { return 0 }
        let channels = reader.channelCount
        if interleaved.count < count * channels { interleaved = [Float](repeating: 0, count: count * channels) }
        if let failure { throw failure }
        var frames = interleaved.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { reader.read(into: $0, frames: count) } ?? 0
        }
        if frames == 0, let lost = reader.failure { throw lost }
        if let bad = interleaved[..<(frames * channels)].firstIndex(where: { !$0.isFinite }) {
            // What is before it is read first.
            let error = AudioFileError.notFinite(path: reader.path, frame: Int(next) + bad / channels)
            failure = error
            frames = bad / channels
            if frames == 0 { throw error }
        }
        for frame in 0..<frames {
            let first = frame * channels
            switch channels {
            case 1:
                left[frame] = interleaved[first]
                right[frame] = interleaved[first]
            case 2:
                left[frame] = interleaved[first]
                right[frame] = interleaved[first + 1]
            default: (left[frame], right[frame]) = folded(first, channels)
            }
        }
        next += Int64(frames)
        return frames
    }

    private func folded(_ first: Int, _ channels: Int) -> (Float, Float) {
        var left: Float = 0
        var right: Float = 0
        for channel in 0..<channels {
            left += interleaved[first + channel] * fold.left[channel]
            right += interleaved[first + channel] * fold.right[channel]
        }
        return (left, right)
    }
}

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
        let folded = try FoldedReader(path: path)
        samples = try AudioClip.decode(folded)
        var metadata = folded.reader.metadata
        if metadata.tempo == nil {
            metadata.tempo = AudioMetadata.tempo(inName: (path as NSString).lastPathComponent)
        }
        self.metadata = metadata
        self.path = path
    }

    private static func decode(_ folded: FoldedReader) throws(AudioFileError) -> SampleBuffer {
        let reader = folded.reader
        var left: [Float] = []
        var right: [Float] = []
        // The header may promise anything: only what is read takes memory.
        left.reserveCapacity(Int(min(max(0, reader.frameCount), 1 << 22)))
        while try folded.read(into: &left, &right) {
            if Int64(left.count) > frameLimit {
                throw .tooLong(path: reader.path, frames: Int64(left.count), limit: frameLimit)
            }
        }
        return SampleBuffer(
            left: left, right: reader.channelCount == 1 ? nil : right, sampleRate: reader.sampleRate)
    }
}

import BarlineDSP
import BarlineTime
import Foundation

/// A decoded file: its samples, shared and read-only, and its metadata.
public struct AudioClip: Sendable {
    /// The file's path.
    public let path: String
    /// The samples, folded to one or two channels.
    public let samples: SampleBuffer
    /// The metadata; its tempo may come from the file's name.
    public let metadata: AudioMetadata

    /// The largest number of frames of a clip: more than four hours at 48 kHz.
    public static let frameLimit: Int64 = 800_000_000

    /// Decodes the file at `path`, on the calling thread.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read to its end, or has a sample that is not finite.
    /// - Complexity: O(*n*) in the frames of the file.
    public init(path: String) throws(AudioFileError) {
        let folded = try FoldedReader(path: path)
        samples = try AudioClip.decode(folded)
        var metadata = folded.reader.metadata
        if metadata.tempo == nil {
            metadata.tempo = AudioMetadata.tempo(inName: path.lastPathName)
        }
        self.metadata = metadata
        self.path = path
    }

    private static func decode(_ folded: FoldedReader) throws(AudioFileError) -> SampleBuffer {
        let reader = folded.reader
        let storage = SampleStorage(
            frames: AudioClip.likelyFrames(reader), channels: reader.channelCount == 1 ? 1 : 2)
        var count = 0
        while true {
            if count == storage.capacity { storage.grow(to: min(2 * count, count + growthFrames)) }
            let read = try folded.read(
                left: storage.left + count, right: storage.right + count, frames: storage.capacity - count)
            if read == 0 { break }
            count += read
            if Int64(count) > frameLimit {
                throw .tooLong(path: reader.path, frames: Int64(count), limit: frameLimit)
            }
        }
        return SampleBuffer(storage, frameCount: count, sampleRate: reader.sampleRate)
    }

    /// How many frames there is room for at first, one more than the header says: the end is where nothing more can be
    /// read.
    ///
    /// The header may promise anything; no more is asked for than files of that size have. What is never read takes no
    /// memory.
    private static func likelyFrames(_ reader: AudioFileReader) -> Int {
        var status = stat()
        let bytes = stat(reader.path, &status) == 0 ? Int64(status.st_size) : 0
        return Int(max(1, min(reader.frameCount, frameLimit, 8 * bytes))) + 1
    }

    /// The most frames by which memory grows at a time.
    private static let growthFrames = 1 << 24
}

import BarlineDSP
import BarlineEngine
import BarlineTime
import CKernels
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
        self.init(path: path, folded, try AudioClip.decode(folded))
    }

    /// Decodes the file at `path`, on the calling thread, and keeps its samples in memory only if it is no longer than
    /// `streaming` says (or 2,097,152 frames, if that is more), or can't be read from anywhere to the bit: else they are
    /// read again as they are played. Where `streaming` says so, what is sound by its header is not read before.
    ///
    /// - Throws: as ``init(path:)``.
    /// - Complexity: O(*n*) in the frames of the file.
    package init(path: String, streaming: ClipStreaming) throws(AudioFileError) {
        let folded = try FoldedReader(path: path)
        let frames = folded.reader.frameCount
        guard folded.reader.seeksExactly, frames > ClipWindow.longestHeld, frames < .max,
            folded.reader.sampleRate.seconds(frames: frames)
                > (folded.reader.isUncompressed ? streaming.uncompressed : streaming.compressed)
        else {
            self.init(path: path, folded, try AudioClip.decode(folded))
            return
        }
        let file = try StemFile(path: path)
        if !streaming.readsAll, folded.reader.isSound, folded.reader.channelCount <= 2, frames <= AudioClip.frameLimit {
            let channels = folded.reader.channelCount
            self.init(path: path, folded, ClipWindow(file, frameCount: Int(frames), channels: channels).buffer)
            return
        }
        self.init(path: path, folded, try AudioClip.scan(folded, of: file))
    }

    private init(path: String, _ folded: FoldedReader, _ samples: SampleBuffer) {
        self.samples = samples
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
        storage.shareEqualChannels(count)
        return SampleBuffer(storage, frameCount: count, sampleRate: reader.sampleRate)
    }

    /// Reads a file to its end once, so that nothing of it is unknown when it is played.
    private static func scan(_ folded: FoldedReader, of file: StemFile) throws(AudioFileError) -> SampleBuffer {
        let channels = folded.reader.channelCount == 1 ? 1 : 2
        let piece = SampleStorage(frames: ClipWindow.chunkFrames, channels: channels)
        var peaks: [Float] = []
        var count = 0
        while true {
            let place = count % ClipWindow.chunkFrames
            let read = try folded.read(
                left: piece.left, right: piece.right, frames: ClipWindow.chunkFrames - place)
            if read == 0 { break }
            let peak = max(dsp_measure(piece.left, read).peak, dsp_measure(piece.right, read).peak)
            if place == 0 { peaks.append(peak) } else { peaks[peaks.count - 1] = max(peaks[peaks.count - 1], peak) }
            count += read
            if Int64(count) > frameLimit {
                throw .tooLong(path: folded.reader.path, frames: Int64(count), limit: frameLimit)
            }
        }
        return ClipWindow(file, frameCount: count, channels: channels, peaks: peaks).buffer
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

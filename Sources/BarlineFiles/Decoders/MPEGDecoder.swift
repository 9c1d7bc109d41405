import BarlineTime
import CMpg123
import Foundation

/// MP3 (and layers I and II), through libmpg123.
///
/// The whole file is scanned when it is opened: only that gives the length where no tag does, and a header's is never
/// trusted: where it says more than there is, the file was cut off or has a hole, and what follows that is looked for.
/// Encoder delay and padding are removed: as the LAME or Lavc tag gives them, else as `iTunSMPB` does.
final class MPEGDecoder: AudioDecoder {
    let hertz: Int
    let channelCount: Int
    let frameCount: Int64
    let isLengthKnown = true
    let missingFrames: Int64
    let metadata: AudioMetadata

    private let handle: OpaquePointer
    private let descriptor: Int32
    /// Decoded frames before the first that is heard, where mpg123 does not remove them itself.
    private let skipped: Int64
    private var next: Int64 = 0

    /// What a header says of a file.
    private struct Promise {
        /// Decoded frames before the first that is heard.
        let start: Int64
        /// Frames that are heard; 0 where it does not say.
        let frames: Int64
    }

    /// What a header may say too much, in frames: some count the frame that it is in.
    private static let tolerance: Int64 = 1_152

    /// Whether a file's first bytes are an MPEG frame's, or an ID3 tag's.
    static func recognizes(_ head: [UInt8]) -> Bool {
        guard head.count >= 4 else { return false }
        if head.starts(with: Array("ID3".utf8)) { return true }
        // The sync word, and a layer: ADTS, which is AAC, has none.
        return head[0] == 0xFF && head[1] & 0xE0 == 0xE0 && head[1] & 0x06 != 0 && head[2] & 0xF0 != 0xF0
    }

    /// Opens a file; `descriptor` belongs to the decoder from now on.
    init(path: String, descriptor: Int32) throws(AudioFileError) {
        let tag = GaplessTag(descriptor: descriptor)
        lseek(descriptor, 0, SEEK_SET)
        guard let handle = mpg123_new(nil, nil) else {
            close(descriptor)
            throw .cannotOpen(path: path, reason: "the MP3 decoder can't be made")
        }
        let promise: Promise?
        do throws(AudioFileError) {
            (hertz, channelCount, promise) = try MPEGDecoder.start(handle, path: path, descriptor: descriptor)
        } catch {
            mpg123_delete(handle)
            close(descriptor)
            throw error
        }
        self.handle = handle
        self.descriptor = descriptor
        let length = Int64(mpg123_length(handle))
        if let promise, length + MPEGDecoder.tolerance < promise.frames {
            // Where frames are missing mpg123 removes neither delay nor padding.
            skipped = promise.start
            frameCount = max(0, min(MPEGDecoder.lengthBehindHoles(handle) - skipped, promise.frames))
            missingFrames = promise.frames - frameCount
        } else if let tag, promise == nil, tag.frames > 0, tag.start + tag.frames <= length {
            skipped = tag.start
            frameCount = tag.frames
            missingFrames = 0
        } else {
            skipped = 0
            frameCount = length
            missingFrames = 0
        }
        if skipped > 0 { mpg123_seek(handle, off_t(skipped), SEEK_SET) }
        var metadata = AudioMetadata()
        metadata.tempo = tag?.tempo
        self.metadata = metadata
    }

    deinit {
        mpg123_close(handle)
        mpg123_delete(handle)
        close(descriptor)
    }

    /// The length with what follows a hole, however long that is. Only where a header says that there is more: in the tags
    /// behind a whole file there may be what looks like sound.
    private static func lengthBehindHoles(_ handle: OpaquePointer) -> Int64 {
        mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
        mpg123_scan(handle)
        return Int64(mpg123_length(handle))
    }

    /// Opens the file and scans it.
    ///
    /// - Returns: the sample rate, the channels, and what its header says of its length.
    private static func start(
        _ handle: OpaquePointer, path: String, descriptor: Int32
    ) throws(AudioFileError) -> (Int, Int, Promise?) {
        // Of a tag before the audio it would ask for as much memory as the tag says that it is long; tags are read
        // elsewhere.
        let flags =
            MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue | MPG123_SKIP_ID3V2.rawValue
        mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
        // A frame depends on the bits of those before it: so many are decoded ahead of a seek.
        mpg123_param2(handle, Int32(MPG123_PREFRAMES.rawValue), 10, 0)
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        let isOpen =
            mpg123_open_fd(handle, descriptor) == 0 && mpg123_getformat(handle, &rate, &channels, &encoding) == 0
        let promise = isOpen ? promise(handle, descriptor) : nil
        guard isOpen, mpg123_scan(handle) == 0, mpg123_getformat(handle, &rate, &channels, &encoding) == 0,
            mpg123_length(handle) > 0
        else { throw .notAudio(path: path, reason: "no MPEG audio was found in it") }
        mpg123_format_none(handle)
        mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue))
        return (rate, Int(channels), promise)
    }

    /// What the tag of a file says by which mpg123 removes delay and padding; `nil` where there is none. To be asked
    /// before the file is scanned: from then on the length is what is there.
    private static func promise(_ handle: OpaquePointer, _ descriptor: Int32) -> Promise? {
        var delay = 0
        var number = 0.0
        guard mpg123_getstate2(handle, Int32(MPG123_ENC_DELAY.rawValue), &delay, &number) == 0, delay >= 0 else {
            return nil
        }
        // Of a file that does not say how long it is the length is a guess by its size.
        let frames = saysLength(descriptor) ? Int64(mpg123_length(handle)) : 0
        return Promise(start: Int64(delay) + GaplessTag.decoderDelay, frames: frames)
    }

    /// Whether the tag in the first frame has the number of frames: the lowest of the flags behind its name.
    private static func saysLength(_ descriptor: Int32) -> Bool {
        guard let head = GaplessTag.beginning(descriptor, count: 1_024) else { return false }
        return ["Xing", "Info"].contains { name in
            guard let place = Data(head).range(of: Data(name.utf8)), place.upperBound + 4 <= head.count else {
                return false
            }
            return head[place.upperBound + 3] & 1 != 0
        }
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let wanted = Int(min(Int64(frames), frameCount - next))
        var done = 0
        let frameBytes = channelCount * MemoryLayout<Float>.size
        while done < wanted {
            var bytes = 0
            let status = mpg123_read(handle, samples + done * channelCount, (wanted - done) * frameBytes, &bytes)
            done += bytes / frameBytes
            let canContinue = status == MPG123_OK.rawValue || status == MPG123_NEW_FORMAT.rawValue
            if !canContinue || bytes == 0 && status == MPG123_OK.rawValue { break }
        }
        next += Int64(done)
        return done
    }

    func seek(to frame: Int64) -> Bool {
        guard mpg123_seek(handle, off_t(frame + skipped), SEEK_SET) == off_t(frame + skipped) else { return false }
        next = frame
        return true
    }
}

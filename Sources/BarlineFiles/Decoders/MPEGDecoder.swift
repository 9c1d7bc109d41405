import BarlineTime
import CMpg123
import Foundation

/// MP3 (and layers I and II), through libmpg123.
///
/// The whole file is scanned when it is opened: only that gives the length where no tag does, and a header's is never
/// trusted. Encoder delay and padding are removed: as the LAME or Lavc tag gives them, else as `iTunSMPB` does.
final class MPEGDecoder: AudioDecoder {
    let hertz: Int
    let channelCount: Int
    let frameCount: Int64
    let isLengthKnown = true
    let metadata: AudioMetadata

    private let handle: OpaquePointer
    private let descriptor: Int32
    /// Decoded frames before the first that is heard, where mpg123 does not remove them itself.
    private let skipped: Int64
    private var next: Int64 = 0

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
        do throws(AudioFileError) {
            (hertz, channelCount) = try MPEGDecoder.start(handle, path: path, descriptor: descriptor)
        } catch {
            mpg123_delete(handle)
            close(descriptor)
            throw error
        }
        self.handle = handle
        self.descriptor = descriptor
        let length = Int64(mpg123_length(handle))
        if let tag, !MPEGDecoder.isTrimmed(handle), tag.frames > 0, tag.start + tag.frames <= length {
            skipped = tag.start
            frameCount = tag.frames
            mpg123_seek(handle, off_t(tag.start), SEEK_SET)
        } else {
            skipped = 0
            frameCount = length
        }
        var metadata = AudioMetadata()
        metadata.tempo = tag?.tempo
        self.metadata = metadata
    }

    deinit {
        mpg123_close(handle)
        mpg123_delete(handle)
        close(descriptor)
    }

    private static func start(
        _ handle: OpaquePointer, path: String, descriptor: Int32
    ) throws(AudioFileError) -> (Int, Int) {
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
        guard mpg123_open_fd(handle, descriptor) == 0, mpg123_scan(handle) == 0,
            mpg123_getformat(handle, &rate, &channels, &encoding) == 0, mpg123_length(handle) > 0
        else { throw .notAudio(path: path, reason: "no MPEG audio was found in it") }
        mpg123_format_none(handle)
        mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue))
        return (rate, Int(channels))
    }

    /// Whether the stream has a tag by which mpg123 removes delay and padding.
    private static func isTrimmed(_ handle: OpaquePointer) -> Bool {
        var value = 0
        var number = 0.0
        guard mpg123_getstate2(handle, Int32(MPG123_ENC_DELAY.rawValue), &value, &number) == 0 else { return false }
        return value >= 0
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

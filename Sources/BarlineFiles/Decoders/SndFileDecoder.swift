import BarlineTime
import CSndFile
import Foundation

/// WAV, AIFF, FLAC, Ogg Vorbis and Ogg Opus, through libsndfile.
final class SndFileDecoder: AudioDecoder {
    let hertz: Int
    let channelCount: Int
    let frameCount: Int64
    let isLengthKnown = true
    let hasShorts: Bool
    let seeksExactly: Bool
    let isUncompressed: Bool
    let hasIntegers: Bool

    private let path: String
    private let isVorbis: Bool
    /// The order of its channels; `nil` where that is WAV's.
    private let order: VorbisChannels?
    private var file: OpaquePointer

    /// Opens a file; `descriptor` belongs to the decoder from now on.
    init(path: String, descriptor: Int32) throws(AudioFileError) {
        let (file, info) = try SndFileDecoder.open(path, descriptor)
        self.path = path
        self.file = file
        hertz = Int(info.samplerate)
        channelCount = Int(info.channels)
        // Written as a stream, a file does not say how long it is: it is read once to know.
        frameCount = info.frames == .max ? try SndFileDecoder.count(path) : info.frames
        hasShorts = info.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_PCM_16)
        seeksExactly = SndFileDecoder.exactCodecs.contains(info.format & Int32(SF_FORMAT_SUBMASK))
        isUncompressed =
            info.format & Int32(SF_FORMAT_TYPEMASK) != Int32(SF_FORMAT_FLAC)
            && SndFileDecoder.plainCodecs.contains(info.format & Int32(SF_FORMAT_SUBMASK))
        hasIntegers =
            isUncompressed && SndFileDecoder.integerCodecs.contains(info.format & Int32(SF_FORMAT_SUBMASK))
        isVorbis = info.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_VORBIS)
        let isOpus = info.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_OPUS)
        order = isVorbis || isOpus ? VorbisChannels(count: channelCount) : nil
    }

    deinit { sf_close(file) }

    /// Codecs with an integer a sample; FLAC counts as PCM.
    private static let integerCodecs = Set(
        [SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_PCM_U8].map { Int32($0) })

    /// Codecs with a number a sample.
    private static let plainCodecs = integerCodecs.union(
        [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ULAW, SF_FORMAT_ALAW].map { Int32($0) })

    /// Codecs whose frames don't depend on those before them.
    private static let exactCodecs = plainCodecs.union([Int32(SF_FORMAT_VORBIS)])

    /// Opens the file of a descriptor, which libsndfile closes where it can't.
    private static func open(_ path: String, _ descriptor: Int32) throws(AudioFileError) -> (OpaquePointer, SF_INFO) {
        var info = SF_INFO()
        var given: Int32? = descriptor
        var absence: AudioFileError?
        let result = SndFileOpening.open {
            do throws(AudioFileError) {
                let descriptor = if let given { given } else { try RegularFile.open(path).descriptor }
                given = nil
                info = SF_INFO()
                return sf_open_fd(descriptor, Int32(SFM_READ), &info, 1)
            } catch {
                absence = error
                return nil
            }
        }
        switch result {
        case .open(let file): return (file, info)
        case .failed(let reason): throw absence ?? .notAudio(path: path, reason: reason)
        }
    }

    private static func count(_ path: String) throws(AudioFileError) -> Int64 {
        let (descriptor, _) = try RegularFile.open(path)
        let (file, info) = try open(path, descriptor)
        defer { sf_close(file) }
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 8_192 * Int(info.channels))
        defer { samples.deallocate() }
        var count: Int64 = 0
        while case let read = sf_readf_float(file, samples, 8_192), read > 0 { count += Int64(read) }
        return count
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = Int(sf_readf_float(file, samples, sf_count_t(frames)))
        order?.arrange(samples, frames: count)
        return count
    }

    func readShorts(into samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int {
        Int(sf_readf_short(file, samples, sf_count_t(frames)))
    }

    func seek(to frame: Int64) -> Bool {
        isVorbis ? seekInVorbis(to: frame) : sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) == frame
    }

    /// Libsndfile 1.2 seeks wrongly within the last page of an Ogg Vorbis file, and anywhere once its end was read: the
    /// file is reopened, and read from a place before that page, which has 255 packets of 1024 frames at the most.
    private func seekInVorbis(to frame: Int64) -> Bool {
        guard let (descriptor, _) = try? RegularFile.open(path) else { return false }
        var info = SF_INFO()
        let reopened = SndFileOpening.beside { sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) }
        guard let reopened else { return false }
        sf_close(file)
        file = reopened
        var next = max(0, min(frame, frameCount - 262_144))
        guard sf_seek(file, sf_count_t(next), Int32(SEEK_SET)) == next else { return false }
        let piece = 8_192
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * channelCount)
        defer { samples.deallocate() }
        while next < frame {
            let count = read(into: samples, frames: Int(min(Int64(piece), frame - next)))
            if count == 0 { return false }
            next += Int64(count)
        }
        return true
    }

    var metadata: AudioMetadata {
        var metadata = AudioMetadata()
        var loop = SF_LOOP_INFO()
        if sf_command(file, Int32(SFC_GET_LOOP_INFO), &loop, Int32(MemoryLayout<SF_LOOP_INFO>.size)) == SF_TRUE {
            if loop.bpm > 0 { metadata.tempo = Double(loop.bpm) }
            if loop.num_beats > 0 { metadata.beats = Int(loop.num_beats) }
            metadata.timeSignature = TimeSignature(Int(loop.time_sig_num), Int(loop.time_sig_den))
        }
        var instrument = SF_INSTRUMENT()
        let size = Int32(MemoryLayout<SF_INSTRUMENT>.size)
        if sf_command(file, Int32(SFC_GET_INSTRUMENT), &instrument, size) == SF_TRUE, instrument.loop_count > 0 {
            let start = Int(barline_instrument_loop_start(&instrument))
            let end = Int(barline_instrument_loop_end(&instrument))
            if start < end, end <= frameCount { metadata.loop = start..<end }
        }
        return metadata
    }
}

import BarlineTime
import CSndFile
import Foundation

/// Decodes WAV, AIFF, FLAC, Ogg Vorbis and Ogg Opus files from front to back.
public final class AudioFileReader {
    /// The file's path.
    public let path: String
    /// The file's sample rate.
    public let sampleRate: SampleRate
    /// Channels, 1 … 8.
    public let channelCount: Int
    /// The length that the header gives, in frames. What can be read is what counts.
    public let frameCount: Int64
    /// The bytes that the header promises and the file does not have; 0 for a whole file.
    public let missingBytes: Int64

    /// Whether the file is Ogg Vorbis.
    let isVorbis: Bool

    private let file: OpaquePointer

    /// Opens a file.
    ///
    /// - Throws: ``AudioFileError`` where the path is no regular file, or the file is no audio that can be played.
    public init(path: String) throws(AudioFileError) {
        let (descriptor, size) = try RegularFile.open(path)
        let missing = ContainerLength.missingBytes(descriptor: descriptor, size: size)
        var info = SF_INFO()
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
            // libsndfile has closed the descriptor.
            throw .notAudio(path: path, reason: String(cString: sf_strerror(nil)))
        }
        self.path = path
        self.file = file
        channelCount = Int(info.channels)
        isVorbis = info.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_VORBIS)
        frameCount = info.frames
        missingBytes = missing
        guard let rate = SampleRate(Double(info.samplerate)) else {
            sf_close(file)
            throw .unsupportedSampleRate(path: path, hertz: Int(info.samplerate))
        }
        sampleRate = rate
        guard (1...8).contains(info.channels) else {
            sf_close(file)
            throw .unsupportedChannelCount(path: path, count: Int(info.channels))
        }
    }

    deinit { sf_close(file) }

    /// Reads up to `frames` interleaved frames and returns how many; 0 at the end.
    public func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        Int(sf_readf_float(file, samples, sf_count_t(frames)))
    }

    /// Continues at `frame`; whether there is such a frame.
    public func seek(to frame: Int64) -> Bool { sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) == frame }

    /// What the file itself says about its tempo and loop.
    public var metadata: AudioMetadata {
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

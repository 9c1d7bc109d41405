import BarlineDSP
import BarlineTime
import CKernels
import CSndFile
import Foundation

/// Writes a stereo or a mono file in the format of its extension: `.wav` (RF64 beyond 4 GiB) or `.flac`.
///
/// The file appears under its name once it is finished.
public final class AudioFileWriter {
    /// The path of the finished file.
    public let path: String

    /// The format of its samples.
    public let format: SampleFormat
    /// The samples over full scale so far, where integer formats clip.
    public private(set) var overs = Overs()

    private let temporaryPath: String
    private let channelCount: Int
    private var frames: Int64 = 0
    private let output: WrittenFile
    private var file: OpaquePointer?
    private var dither = Dither()
    private var interleaved: [Float] = []
    private var integers: [Int32] = []

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: the file's path; an existing file is replaced when this one is finished.
    ///   - sampleRate: rounded to whole hertz.
    ///   - format: the sample format; `nil` for 32-bit float, or 24 bit for FLAC.
    ///   - channels: 1 or 2.
    /// - Throws: ``AudioFileError`` if the extension is unknown, the file format has no such samples, the path is
    ///   that of something else than a file, or the folder can't be written to.
    public init(
        path: String, sampleRate: SampleRate, format: SampleFormat? = nil, channels: Int = 2
    ) throws(AudioFileError) {
        precondition((1...2).contains(channels), "a file has one channel or two")
        channelCount = channels
        let isFLAC = path.pathEnding.lowercased() == "flac"
        guard isFLAC || path.pathEnding.lowercased() == "wav" else {
            throw .unsupportedOutput(path: path, reason: "the name must end in .wav or .flac")
        }
        if isFLAC, format == .float32 {
            throw .unsupportedOutput(path: path, reason: "FLAC has no float samples; choose s24 or s16")
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw .cannotWrite(
                path: path, reason: isFolder ? "it is a folder" : "it is a device or a pipe, and no file")
        }
        self.path = path
        self.format = AudioFileWriter.format(path: path, format)
        temporaryPath = path + ".part\(getpid())"
        let container = isFLAC ? SF_FORMAT_FLAC : SF_FORMAT_RF64
        let encoding: Int
        switch self.format {
        case .float32: encoding = SF_FORMAT_FLOAT
        case .integer24: encoding = SF_FORMAT_PCM_24
        case .integer16: encoding = SF_FORMAT_PCM_16
        }
        var info = SF_INFO()
        info.samplerate = Int32(sampleRate.hertz.rounded())
        info.channels = Int32(channels)
        info.format = Int32(container | encoding)
        guard let output = WrittenFile(path: temporaryPath) else {
            throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        self.output = output
        guard let file = output.open(&info) else {
            let reason = SndFileProblem.reason()
            unlink(temporaryPath)
            throw .cannotWrite(path: path, reason: output.problem ?? reason)
        }
        if !isFLAC { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE)) }
        self.file = file
    }

    /// The sample format of a file of that name: `format`, or the default of its extension.
    package static func format(path: String, _ format: SampleFormat?) -> SampleFormat {
        format ?? (path.pathEnding.lowercased() == "flac" ? .integer24 : .float32)
    }

    deinit {
        if let file {
            sf_close(file)
            unlink(temporaryPath)
        }
    }

    /// Appends `frames` frames; of a mono file both channels are the same.
    ///
    /// - Throws: `AudioFileError` if the file can't be written, or was completed before.
    /// - Complexity: O(*n*) in the frames.
    public func write(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int
    ) throws(AudioFileError) {
        if frames <= 0 { return }
        guard let file else { throw .cannotWrite(path: path, reason: "it was completed before") }
        overs.add(left, frames: frames, at: self.frames)
        if channelCount == 2 { overs.add(right, frames: frames, at: self.frames) }
        self.frames += Int64(frames)
        let written: sf_count_t
        if format != .float32 {
            let bits = format == .integer16 ? 16 : 24
            integers.removeAll(keepingCapacity: true)
            for frame in 0..<frames {
                integers.append(dither.quantize(left[frame], bits: bits) << (32 - bits))
                if channelCount == 2 { integers.append(dither.quantize(right[frame], bits: bits) << (32 - bits)) }
            }
            written = sf_writef_int(file, integers, sf_count_t(frames))
        } else if channelCount == 2 {
            if interleaved.count < 2 * frames { interleaved = Array(repeating: 0, count: 2 * frames) }
            dsp_interleave(left, right, &interleaved, frames)
            written = sf_writef_float(file, interleaved, sf_count_t(frames))
        } else {
            written = sf_writef_float(file, left, sf_count_t(frames))
        }
        if written != sf_count_t(frames) || output.problem != nil {
            throw .cannotWrite(path: path, reason: output.problem ?? SndFileProblem.reason(file))
        }
    }

    /// Appends all of `samples`, at the file's rate: nothing is converted.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func write(_ samples: SampleBuffer) throws(AudioFileError) {
        try write(left: samples.left, right: samples.right, frames: samples.frameCount)
    }

    /// Completes the file, which appears under its name.
    ///
    /// - Complexity: O(*n*) in the chunks of the file.
    public func finish() throws(AudioFileError) {
        guard let file else { return }
        self.file = nil
        let isClosed = sf_close(file) == 0
        if isClosed, format == .float32 { forgetTime() }
        if isClosed, output.problem == nil, rename(temporaryPath, path) == 0 { return }
        let reason = output.problem ?? String(cString: strerror(errno))
        unlink(temporaryPath)
        throw .cannotWrite(path: path, reason: reason)
    }

    /// Removes the time of day from the peak chunk, which libsndfile can't be kept from writing into RF64: the same
    /// render would give another file.
    private func forgetTime() {
        let chunks = ChunkHeaders(isBigEndian: false) { [output] in output.bytes(at: Int($0), count: $1) }
        for chunk in chunks.prefix(while: { $0.name != "data" }) where chunk.name == "PEAK" {
            // The chunk's version comes first, then the time.
            output.replace(at: Int(chunk.body) + 4, with: [UInt8](repeating: 0, count: 4))
        }
    }
}

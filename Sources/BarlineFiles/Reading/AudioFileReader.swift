import BarlineTime
import Foundation

/// Decodes WAV, AIFF, FLAC, Ogg Vorbis, Ogg Opus and MP3 files; with the trait `LibAV` also AAC, ALAC, WavPack,
/// Matroska and WebM, and `http` and `https` URLs.
public final class AudioFileReader {
    /// The file's path, or its URL.
    public let path: String
    /// The file's sample rate.
    public let sampleRate: SampleRate
    /// The number of channels, 1 … 8.
    public let channelCount: Int
    /// The nominal length in frames. The actual end is where reading ends.
    public let frameCount: Int64
    /// Whether ``frameCount`` is certain; in some containers it is an estimate.
    public let isLengthKnown: Bool
    /// The number of frames missing from a truncated file; 0 for a complete one.
    let missingFrames: Int64

    private let decoder: any AudioDecoder

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a file's path, or a URL.
    ///   - cancellation: cancels waits for the network, including this call's.
    /// - Throws: ``AudioFileError`` if the path is not that of a regular file, or the file can't be decoded.
    /// - Complexity: O(*n*) in the bytes of an MP3 file, which is scanned for its length; else that of reading the
    ///   headers.
    public init(path: String, cancellation: ReadCancellation = ReadCancellation()) throws(AudioFileError) {
        var missing: Int64 = 0
        if let scheme = PlaylistLocation.scheme(of: path) {
            decoder = try AudioFileReader.remoteDecoder(path, scheme: scheme, cancellation: cancellation)
        } else {
            let (descriptor, size) = try RegularFile.open(path)
            missing = ContainerLength.missingFrames(descriptor: descriptor, size: size)
            decoder = try AudioFileReader.decoder(path: path, descriptor: descriptor)
        }
        self.path = path
        channelCount = decoder.channelCount
        frameCount = decoder.frameCount
        isLengthKnown = decoder.isLengthKnown
        missingFrames = max(missing, decoder.missingFrames)
        guard let rate = SampleRate(Double(decoder.hertz)) else {
            throw .unsupportedSampleRate(path: path, hertz: decoder.hertz)
        }
        sampleRate = rate
        guard (1...8).contains(channelCount) else {
            throw .unsupportedChannelCount(path: path, count: channelCount)
        }
    }

    private static func remoteDecoder(
        _ url: String, scheme: String, cancellation: ReadCancellation
    ) throws(AudioFileError) -> any AudioDecoder {
        guard ["http", "https"].contains(scheme) else {
            throw .cannotOpen(path: url, reason: "only http and https are fetched")
        }
        #if LibAV
            return try RemoteDecoder(url: url, cancellation: cancellation)
        #else
            throw .cannotOpen(path: url, reason: "Barline was built without the trait LibAV, which fetches it")
        #endif
    }

    /// A file's format follows from its first bytes, not from its name.
    private static func decoder(path: String, descriptor: Int32) throws(AudioFileError) -> any AudioDecoder {
        var head = [UInt8](repeating: 0, count: 40)
        let count = pread(descriptor, &head, head.count, 0)
        // Taggers put tags before files that are no MP3 too.
        let first = GaplessTag.head(behindTagOf: descriptor, count: head.count) ?? Array(head.prefix(max(0, count)))
        #if LibAV
            if LibAVDecoder.recognizes(first) { return try LibAVDecoder(path: path, descriptor: descriptor) }
        #endif
        let isOther = ["fLaC", "FORM", "RIFF", "OggS"].contains { first.starts(with: Array($0.utf8)) }
        let isADTS = first.count > 1 && first[0] == 0xFF && first[1] & 0xF6 == 0xF0
        if !isOther, !isADTS, MPEGDecoder.recognizes(Array(head.prefix(max(0, count)))) {
            return try MPEGDecoder(path: path, descriptor: descriptor)
        }
        return try SndFileDecoder(path: path, descriptor: descriptor)
    }

    /// Reads up to `frames` interleaved frames and returns how many; 0 at the end. Channels are in the order of WAV.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        decoder.read(into: samples, frames: frames)
    }

    /// Whether ``readShorts(into:frames:)`` reads what ``read(into:frames:)`` does, each sample divided by 32,768 the
    /// same: from files of 16 bits that takes a fifth of the time.
    var hasShorts: Bool { decoder.hasShorts }

    /// Reads up to `frames` interleaved frames of 16 bits and returns how many; 0 at the end.
    func readShorts(into samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int {
        decoder.readShorts(into: samples, frames: frames)
    }

    /// Seeks to `frame`.
    ///
    /// - Returns: whether there is such a frame.
    public func seek(to frame: Int64) -> Bool { frame >= 0 && decoder.seek(to: frame) }

    /// Whether what follows a seek is the same to the bit as when the file is read from its beginning.
    var seeksExactly: Bool { decoder.seeksExactly }

    /// Whether samples are in the file as they are, so that reading them again costs little.
    var isUncompressed: Bool { decoder.isUncompressed }

    /// Whether all that can be wrong with the file is known from its header and its size: its samples are integers, and
    /// all are there.
    var isSound: Bool {
        decoder.hasIntegers && isLengthKnown && frameCount > 0 && frameCount < .max && missingFrames == 0
    }

    /// Whether a read returns fewer frames than requested at the end only.
    var isWhole: Bool { decoder is SndFileDecoder }

    /// The error of the last read; `nil` if it returned frames, or reached the end.
    public var failure: AudioFileError? { decoder.failure }

    /// The musical metadata in the file.
    public var metadata: AudioMetadata { decoder.metadata }
}

import BarlineDSP
import BarlineTime
import Foundation

/// Reads a file in pieces, folded to two channels, without holding it in memory.
///
/// A disk that fails for up to half a minute is waited for, and reading resumes where it was. A file that is modified
/// while it is read ends where reading can't be resumed, and never yields invalid samples.
///
/// ```swift
/// while let piece = try stream.read(4_096) { try file.write(piece) }
/// ```
///
/// A stream is read by one thread at a time, and may be sent to another one.
public final class AudioFileStream {
    var reader: AudioFileReader
    let cancellation: ReadCancellation
    private var buffer: FrameBuffer
    var next: Int64 = 0
    private var isBeyondEnd = false
    /// What is wrong with the frame that comes next.
    private var failure: AudioFileError?
    /// The file as it was when it was opened; `nil` for what is no file.
    var identity: FileIdentity?
    /// The length that its header gave then.
    let expected: Int64
    /// Whether it was changed since.
    var isChanged = false
    /// Whether the reader may not be where it should: a disk gave less than was asked for.
    var needsReseek = false

    /// How many frames are read at a time by those who read a whole file.
    package static let pieceFrames = 1 << 14

    /// Samples beyond this magnitude are not sound, where a file was changed.
    static let largest: Float = 4

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a file's path, or an `http` or `https` URL.
    ///   - cancellation: cancels waits for the network, including this call's.
    /// - Throws: ``AudioFileError``.
    /// - Complexity: that of ``AudioFileReader/init(path:cancellation:)``.
    public convenience init(
        path: String, cancellation: ReadCancellation = ReadCancellation()
    ) throws(AudioFileError) {
        try self.init(path: path, since: nil, cancellation: cancellation)
    }

    /// Opens a file again.
    ///
    /// - Parameters:
    ///   - path: a file's path, or an `http` or `https` URL.
    ///   - earlier: what it was when it was looked at; `nil` where it was not.
    ///   - cancellation: ends waits.
    /// - Throws: ``AudioFileError``.
    init(
        path: String, since earlier: FileIdentity?, cancellation: ReadCancellation = ReadCancellation()
    ) throws(AudioFileError) {
        let identity = PlaylistLocation.scheme(of: path) == nil ? FileIdentity(path) : nil
        reader = try AudioFileStream.open(path, isFile: identity != nil, cancellation)
        self.identity = identity
        self.cancellation = cancellation
        // What is there of a file that was cut off is played, and then it is reported.
        expected = reader.frameCount + (reader.isLengthKnown ? reader.missingFrames : 0)
        if let identity, let earlier { isChanged = identity != earlier }
        buffer = FrameBuffer(channelCount: reader.channelCount)
    }

    /// Opens a file; waits for a disk that returns nothing.
    private static func open(
        _ path: String, isFile: Bool, _ cancellation: ReadCancellation
    ) throws(AudioFileError) -> AudioFileReader {
        let begin = DispatchTime.now()
        while true {
            do throws(AudioFileError) {
                return try AudioFileReader(path: path, cancellation: cancellation)
            } catch {
                let waited = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) * 1e-9
                guard isFile, waited < DiskOutage.timeout, DiskOutage.isPresent(path),
                    cancellation.sleep(seconds: DiskOutage.interval)
                else { throw error }
            }
        }
    }

    /// The file's sample rate.
    public var sampleRate: SampleRate { reader.sampleRate }
    /// The file's path, or its URL.
    public var path: String { reader.path }
    /// The file's channels, 1 … 8.
    public var channelCount: Int { reader.channelCount }
    /// The length in frames according to the header; 0 for an endless stream.
    public var frameCount: Int64 { expected }

    /// Seeks to `frame`; beyond the end there is nothing to read.
    public func seek(to frame: Int64) throws(AudioFileError) {
        if frame == next { return }
        failure = nil
        isBeyondEnd = reader.isLengthKnown && frame >= reader.frameCount
        if isBeyondEnd {
            next = frame
            return
        }
        next = frame
        if needsReseek { return }
        guard reader.seek(to: frame) else {
            // What the disk did not return may be read later.
            if identity != nil, DiskOutage.isPresent(reader.path) {
                needsReseek = true
                return
            }
            throw .cannotOpen(path: reader.path, reason: "its frame \(frame) can't be found")
        }
    }

    /// Reads the next frames, up to `count`.
    ///
    /// - Returns: the number of frames read; 0 at the end.
    /// - Throws: ``AudioFileError/notFinite(path:frame:)``, ``AudioFileError/connectionLost(url:reason:)``.
    /// - Complexity: O(*n*) in the frames.
    public func read(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(AudioFileError) -> Int {
        if count <= 0 { return 0 }
        if isBeyondEnd {
            if next < expected { throw .truncated(path: path, frames: reader.frameCount, expected: expected) }
            return 0
        }
        if let failure { throw failure }
        var frames = try readSteadily(count)
        if frames == 0, let lost = reader.failure { throw lost }
        let bad = buffer.part(left, right, frames: frames)
        if bad < frames {
            // What is before it is read first.
            let error = AudioFileError.notFinite(path: reader.path, frame: Int(next) + bad)
            failure = error
            frames = bad
            if frames == 0 { throw error }
        }
        if isChanged, buffer.isAbove(AudioFileStream.largest, frames: frames) { throw changed }
        next += Int64(frames)
        return frames
    }

    /// Reads the next frames, up to `count`, into a buffer of their own.
    ///
    /// - Returns: the frames, 2²⁴ at most; `nil` at the end, and where none are wanted.
    /// - Throws: as ``read(left:right:count:)``.
    /// - Complexity: O(*n*) in the frames.
    public func read(_ count: Int) throws(AudioFileError) -> SampleBuffer? {
        if count <= 0 { return nil }
        let known = reader.isLengthKnown ? Int(clamping: max(1, reader.frameCount - next)) : .max
        let count = min(count, known, AudioFileStream.mostFrames)
        let storage = SampleStorage(frames: count, channels: 2)
        let frames = try read(left: storage.left, right: storage.right, count: count)
        return frames == 0 ? nil : SampleBuffer(storage, frameCount: frames, sampleRate: sampleRate)
    }

    /// How many frames are read into one buffer at most.
    private static let mostFrames = 1 << 24

    func readOnce(_ count: Int) -> Int { buffer.read(reader, frames: count) }
}

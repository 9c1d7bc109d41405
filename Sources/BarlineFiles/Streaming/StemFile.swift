import BarlineEngine
import BarlineTime

/// A stem that is streamed from an audio file. Where another file takes its place while it plays, it stays what it was.
public struct StemFile: StemSource {
    /// The file's path.
    public let path: String
    /// The file's sample rate.
    public let sampleRate: SampleRate
    /// The length that the file's header gives.
    public let frameCount: Int64

    /// What the file was then.
    private let identity: FileIdentity?
    private let held: HeldFile?

    /// Opens the file at `path` to read its sample rate and length.
    ///
    /// - Throws: ``AudioFileError`` if it can't be played.
    /// - Complexity: that of ``AudioFileReader/init(path:cancellation:)``.
    public init(path: String) throws(AudioFileError) {
        identity = FileIdentity(path)
        held = HeldFile(path)
        let stream = try AudioFileStream(path: path)
        self.path = path
        sampleRate = stream.sampleRate
        frameCount = stream.frameCount
    }

    /// Differs for files of other content, as far as that is known without reading them.
    package var version: UInt64 {
        var hash = FNV1a(path)
        identity?.add(to: &hash)
        return hash.value
    }

    /// Opens another reader.
    public func open() throws -> sending any StemReader { try open { true } }

    /// Opens another reader; waits for a disk or a network end when `isWanted` returns `false`.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StemReader {
        let cancellation = ReadCancellation(while: isWanted)
        let place = held?.place ?? path
        let stream = try AudioFileStream(path: place, since: identity, cancellation: cancellation)
        // Written over at another rate, it would sound at another pitch.
        guard stream.sampleRate == sampleRate else { throw stream.changed }
        return StemFileReader(stream)
    }
}

/// One reading of a ``StemFile``.
private final class StemFileReader: StemReader {
    private let stream: FadingStream

    init(_ stream: AudioFileStream) { self.stream = FadingStream(stream) }

    func seek(to frame: Int64) throws { try stream.seek(to: frame) }

    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
        try stream.read(left: left, right: right, count: count)
    }
}

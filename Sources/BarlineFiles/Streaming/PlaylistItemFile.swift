import BarlineEngine
import BarlineTime
import Synchronization

/// A playlist item's audio, read from a file, which is not opened before it is needed.
public final class PlaylistItemFile: PlaylistSource {
    /// The file's path.
    public let path: String
    private let facts = Mutex<Facts?>(nil)

    private struct Facts {
        let sampleRate: SampleRate
        let frameCount: Int64?
        var identity: FileIdentity?
    }

    /// Creates a source for the file at `path`, which need not exist yet.
    public init(path: String) { self.path = path }

    private var known: Facts {
        facts.withLock { facts in
            if let facts { return facts }
            let identity = FileIdentity(path)
            guard let stream = try? AudioFileStream(path: path) else {
                return Facts(sampleRate: .standard, frameCount: nil)
            }
            let found = Facts(
                sampleRate: stream.sampleRate,
                frameCount: stream.frameCount > 0 && stream.frameCount < .max ? stream.frameCount : nil,
                identity: identity)
            facts = found
            return found
        }
    }

    /// The file's sample rate; 48 kHz as long as it can't be opened.
    public var sampleRate: SampleRate { known.sampleRate }

    /// The length that the file's header gives.
    public var frameCount: Int64? { known.frameCount }

    /// Opens the file.
    public func open() throws -> sending any PlaylistReader { try open { true } }

    /// Opens the file; waits for a disk or a network end when `isWanted` returns `false`.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader {
        let (identity, cancellation) = (facts.withLock { $0?.identity }, ReadCancellation(while: isWanted))
        return PlaylistItemReader(try AudioFileStream(path: path, since: identity, cancellation: cancellation))
    }
}

/// One reading of a ``PlaylistItemFile``.
private final class PlaylistItemReader: PlaylistReader {
    private static let bufferFrames = 4_096
    private let stream: FadingStream

    init(_ stream: AudioFileStream) { self.stream = FadingStream(stream) }

    var sampleRate: SampleRate { stream.sampleRate }

    func seek(to frame: Int64) throws { try stream.seek(to: frame) }

    func nextBuffer() throws -> PlaylistBuffer? {
        var buffer = PlaylistBuffer(
            left: [Float](repeating: 0, count: PlaylistItemReader.bufferFrames),
            right: [Float](repeating: 0, count: PlaylistItemReader.bufferFrames))
        let count = try buffer.left.withUnsafeMutableBufferPointer { left in
            try buffer.right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return try stream.read(left: left, right: right, count: PlaylistItemReader.bufferFrames)
            }
        }
        if count == 0 { return nil }
        buffer.left.removeLast(PlaylistItemReader.bufferFrames - count)
        buffer.right.removeLast(PlaylistItemReader.bufferFrames - count)
        return buffer
    }
}

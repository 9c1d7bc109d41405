import BarlineTime

/// Why an audio file can't be read or written. Every case names the file.
public enum AudioFileError: Error, Hashable, Sendable {
    /// There is no such file, or it can't be opened.
    case cannotOpen(path: String, reason: String)
    /// The path is that of a folder, a device, a pipe or a socket.
    case notAFile(path: String, kind: String)
    /// The file has no bytes, or no frames.
    case empty(path: String)
    /// The file is not audio, or in an unknown format.
    case notAudio(path: String, reason: String)
    /// The file ends before the length in its header.
    case truncated(path: String, frames: Int64, expected: Int64)
    /// The sample rate is outside 8 000 … 192 000 Hz.
    case unsupportedSampleRate(path: String, hertz: Int)
    /// There are more than 8 channels.
    case unsupportedChannelCount(path: String, count: Int)
    /// A sample is not a finite number.
    case notFinite(path: String, frame: Int)
    /// The decoded audio would take more memory than allowed.
    case tooLong(path: String, frames: Int64, limit: Int64)
    /// The name's extension, or the sample format, can't be written.
    case unsupportedOutput(path: String, reason: String)
    /// The connection was lost before the end.
    case connectionLost(url: String, reason: String)
    /// The file is not a playlist, or in an unknown format.
    case notAPlaylist(path: String, reason: String)
    /// Writing failed: the disk may be full.
    case cannotWrite(path: String, reason: String)

    /// The file's path, or its URL.
    public var path: String {
        switch self {
        case .cannotOpen(let path, _), .notAFile(let path, _), .empty(let path), .notAudio(let path, _),
            .truncated(let path, _, _), .unsupportedSampleRate(let path, _), .unsupportedChannelCount(let path, _),
            .notFinite(let path, _), .tooLong(let path, _, _), .unsupportedOutput(let path, _),
            .connectionLost(let path, _), .notAPlaylist(let path, _), .cannotWrite(let path, _):
            path
        }
    }

    /// The problem, without the path.
    public var problem: String {
        switch self {
        case .cannotOpen(_, let reason): "can't be opened: \(reason)"
        case .notAFile(_, let kind): "is \(kind), not an audio file"
        case .empty: "is empty"
        case .notAudio(_, let reason): "is not audio that can be read: \(reason)"
        case .truncated(_, let frames, let expected):
            // How much an Ogg file has lost is not known.
            "is truncated: it ends after \(frames)\(expected - frames > 1 ? " of \(expected)" : "") frames"
        case .unsupportedSampleRate(_, let hertz):
            "has a sample rate of \(hertz) Hz; \(Int(SampleRate.range.lowerBound)) to"
                + " \(Int(SampleRate.range.upperBound)) Hz can be played"
        case .unsupportedChannelCount(_, let count): "has \(count) channels; up to 8 can be played"
        case .notFinite(_, let frame): "has a sample at frame \(frame) that is not a finite number"
        case .tooLong(_, let frames, let limit):
            "has \(frames) frames; a clip is held in memory and may have up to \(limit)"
        case .unsupportedOutput(_, let reason): "can't be written: \(reason)"
        case .connectionLost(_, let reason): "broke off: \(reason)"
        case .notAPlaylist(_, let reason): "is not a playlist that can be read: \(reason)"
        case .cannotWrite(_, let reason): "can't be written: \(reason)"
        }
    }
}

extension AudioFileError: CustomStringConvertible {
    /// The value in words.
    public var description: String { "\(path): \(problem)" }
}

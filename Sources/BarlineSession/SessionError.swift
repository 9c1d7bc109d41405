import BarlineEngine
import BarlineFiles

/// Why a session, a script or an action can't be used. Every message names the file and the key it is about.
public enum SessionError: Error, Hashable, Sendable {
    /// The file can't be read or written.
    case file(path: String, reason: String)
    /// A value is not what its key needs.
    case value(path: String, key: String, expected: String, found: String)
    /// Two things have one identifier.
    case duplicate(path: String, key: String, id: String)
    /// Nothing has this identifier.
    case unknown(path: String, key: String, id: String)
    /// This version can't do what is asked for.
    case unsupported(path: String, key: String, what: String)
    /// A clip's audio can't be used.
    case audio(path: String, key: String, AudioFileError)
    /// The engine refuses.
    case engine(path: String, key: String, EngineError)
}

extension SessionError: CustomStringConvertible {
    /// The value in words.
    public var description: String {
        switch self {
        case .file(let path, let reason): "\(path): \(reason)"
        case .value(let path, let key, let expected, let found):
            "\(path): \(key): expected \(expected), found \(found)"
        case .duplicate(let path, let key, let id): "\(path): \(key): the id \"\(id)\" is used twice"
        case .unknown(let path, let key, let id): "\(path): \(key): there is no \"\(id)\""
        case .unsupported(let path, let key, let what): "\(path): \(key): \(what)"
        case .audio(let path, let key, let error): "\(path): \(key): \(error)"
        case .engine(let path, let key, let error): "\(path): \(key): \(error)"
        }
    }
}

import BarlineEngine
import BarlineFiles
import BarlineOutputs

/// The error of a stage: why a request failed.
public enum StageError: Error, Hashable, Sendable {
    /// The output can't be opened.
    case output(OutputError)
    /// A file can't be read, or written.
    case file(AudioFileError)
    /// The engine refused the request.
    case engine(EngineError)
}

extension StageError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .output(let error): error.description
        case .file(let error): "\(error.path) \(error.problem)"
        case .engine(let error): error.description
        }
    }
}

import BarlineEngine
import BarlineFiles
import BarlineOutputs

/// Why a stage does not do what it was asked to.
public enum StageError: Error, Hashable, Sendable {
    /// The output can't be opened.
    case output(OutputError)
    /// A file can't be read, or written.
    case file(AudioFileError)
    /// The engine refuses it.
    case engine(EngineError)
}

extension StageError: CustomStringConvertible {
    /// The value in words.
    public var description: String {
        switch self {
        case .output(let error): error.description
        case .file(let error): "\(error.path) \(error.problem)"
        case .engine(let error): error.description
        }
    }
}

/// An error of the sampler: why a request was refused.
///
/// ```swift
/// } catch where error == .sampler(.unknownPad(clap)) {
/// ```
public enum SamplerError: PartError {
    /// As many pads are loaded as the engine was made for: unload some.
    case padTableFull(capacity: Int)
    /// The pad is not, or no longer, loaded.
    case unknownPad(PadHandle)

    /// The value in words.
    public var description: String {
        switch self {
        case .padTableFull(let capacity): "\(capacity) pads are loaded, which is all there is room for"
        case .unknownPad: "the pad is not loaded"
        }
    }
}

extension EngineError {
    /// An error of the sampler.
    public static func sampler(_ error: SamplerError) -> EngineError { .part(PartFailure(error)) }
}

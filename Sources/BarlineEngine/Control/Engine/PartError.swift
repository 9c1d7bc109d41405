/// An error that only one part of the engine has, which ``EngineError/part(_:)`` carries.
public protocol PartError: Error, Hashable, CustomStringConvertible {}

/// An error of a part of the engine, whichever that is.
public struct PartFailure: Hashable, Sendable, CustomStringConvertible {
    /// The error, such as a ``SamplerError``.
    public let error: any PartError

    init(_ error: any PartError) { self.error = error }

    /// The error in words.
    public var description: String { error.description }

    /// Whether they are of the same part, and equal.
    public static func == (left: PartFailure, right: PartFailure) -> Bool { left.error.isEqual(to: right.error) }

    /// Hashes the error.
    public func hash(into hasher: inout Hasher) { error.hash(into: &hasher) }
}

extension PartError {
    fileprivate func isEqual(to other: any PartError) -> Bool { other as? Self == self }
}

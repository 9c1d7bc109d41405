import BarlineEngine
import BarlineSession
import NIOCore

/// A part of the session as clients see it.
protocol PublishedPart: SessionPart {
    /// The key of the state that has what is to be known of it beside the document.
    static var stateKey: String { get }

    /// What is to be known of it, of which what has not changed is kept.
    static func facts() -> any PartFacts

    /// What frames of positions have of it, as the session is now.
    static func positions(_ player: SessionPlayer) -> any PartPositions
}

/// The state of a part for clients, beside the document.
protocol PartFacts {
    /// It as JSON; what is as it was the last time is taken from there.
    mutating func json(_ player: SessionPlayer) -> JSONValue
}

/// The values of a part in frames of positions: docs/protocol.md has the layout.
protocol PartPositions: Sendable {
    /// Whether there is nothing of it.
    var isEmpty: Bool { get }
    /// How many bytes they are.
    var size: Int { get }
    /// Writes them.
    func write(_ state: EngineState, _ buffer: inout ByteBuffer)
}

extension SessionParts {
    static let published: [any PublishedPart.Type] = all.compactMap { $0 as? any PublishedPart.Type }
}

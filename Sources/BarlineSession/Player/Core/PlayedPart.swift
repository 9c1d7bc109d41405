import BarlineEngine
import BarlineFiles

/// A part that is in the engine: how it gets there, what is done with it, and what is said of it.
protocol PlayedPart: SessionPart {
    /// Loads what it needs of files.
    ///
    /// - Parameters:
    ///   - new: the session, whose document may have changed.
    ///   - old: the session as it is, of which what is unchanged is kept; `nil` to load everything.
    ///   - loader: what loads files, each once.
    /// - Returns: what was loaded.
    static func load(_ new: BoundSession, over old: BoundSession?, loader: AudioClipLoader) async -> any LoadedPart

    /// Finds what an action names; `nil` for what is asked of another part.
    static func sending(
        _ action: PartAction, _ player: SessionPlayer, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> SessionPlayer.Sending?

    /// What ends everything of it that sounds.
    static var silence: ScriptAction { get }

    /// What the user should know, in the order of the document.
    static func warnings(_ bound: BoundSession) -> [SessionWarning]

    /// An event as an object; `nil` for what is another part's.
    static func values(of event: EngineEvent.Kind, _ bound: BoundSession) -> [String: JSONValue]?

    /// An event for people; `nil` for what is another part's, or happens too often to be shown.
    static func words(for event: EngineEvent.Kind, _ bound: BoundSession) -> String?
}

/// The content loaded for a part of a document that is not in the engine yet.
protocol LoadedPart: Sendable {
    /// Brings it to an engine that has none of it.
    func open(_ bound: inout BoundSession, engine: Engine, policy: SessionPlayer.Policy) throws(SessionError)

    /// Makes what a player's engine has of it that of the document. What sounds and is kept sounds on.
    func replace(_ old: BoundSession, _ new: inout BoundSession, in player: SessionPlayer)
}

extension SessionParts {
    static let played: [any PlayedPart.Type] = all.compactMap { $0 as? any PlayedPart.Type }

    /// Loads what all of them need.
    static func load(
        _ new: BoundSession, over old: BoundSession? = nil, loader: AudioClipLoader
    ) async -> [any LoadedPart] {
        var parts: [any LoadedPart] = []
        for part in played { parts.append(await part.load(new, over: old, loader: loader)) }
        return parts
    }
}

extension SessionPlayer {
    /// What is said to people of an event of a part that is a folder of its own; `nil` for what is not shown.
    package func words(forPart event: EngineEvent.Kind) -> String? {
        let bound = bound.withLock { $0 }
        return SessionParts.played.lazy.compactMap { $0.words(for: event, bound) }.first
    }
}

extension SessionDocument {
    /// Whether there is nothing of a part that could be played.
    package func isEmpty<Part: SessionPart>(_ part: Part.Type) -> Bool { parts[part].isEmpty }
}

/// The binding of a part that is in the engine.
protocol BoundPart: Sendable {
    /// Nothing yet.
    init()
}

/// The bindings of a session's parts, a value of a type of its own for each.
struct BoundParts: Sendable {
    private var parts: [any BoundPart] = []

    /// What is known of one.
    subscript<Part: BoundPart>(_ part: Part.Type) -> Part {
        get { parts.lazy.compactMap { $0 as? Part }.first ?? Part() }
        set {
            if let index = parts.firstIndex(where: { $0 is Part }) {
                parts[index] = newValue
            } else {
                parts.append(newValue)
            }
        }
    }
}

/// A part of a session that is a folder of its own in every layer, as the pads are: what the session's file has of it.
///
/// The layers above know more of it by protocols of their own, which a part takes up in its folder there: its verbs
/// (``ScriptedPart``), its edits (``EditedPart``), what it is in the engine (``PlayedPart``). ``SessionParts`` lists
/// the parts; nothing else names them.
package protocol SessionPart: Hashable, Sendable {
    /// What a session has of it whose file says nothing.
    init()
    /// Its keys at the top level of the file, in the order in which they are read.
    static var keys: [DocumentKey<SessionDocument>] { get }
    /// The parts of the document that have keys of their own.
    static var documentParts: [DocumentPart] { get }
    /// Its strips of the mixer.
    static var strips: [PartStrip] { get }

    /// Whether there is nothing that could be played.
    var isEmpty: Bool { get }
    /// Refuses what its keys are together.
    func check(file: String) throws(SessionError)
    /// Gives its files other paths.
    mutating func setFiles(_ path: (String) -> String)
    /// The same, in which what is as in another one takes no memory of its own.
    func sharing(_ other: Self) -> Self
}

extension SessionPart {
    package static var strips: [PartStrip] { [] }

    package func check(file: String) throws(SessionError) {}
    package mutating func setFiles(_ path: (String) -> String) {}
    package func sharing(_ other: Self) -> Self { self == other ? other : self }

    fileprivate func equals(_ other: any SessionPart) -> Bool { other as? Self == self }

    fileprivate func sharing(any other: SessionParts) -> any SessionPart { sharing(other[Self.self]) }
}

/// What a session's file has of such parts, a value of a type of its own for each.
package struct SessionParts: Hashable, Sendable {
    /// The one list of them.
    package static let all: [any SessionPart.Type] = [PadsPart.self]

    private var values: [any SessionPart] = all.map { $0.init() }

    /// What there is of one.
    package subscript<Part: SessionPart>(_ part: Part.Type) -> Part {
        get { values.lazy.compactMap { $0 as? Part }.first ?? Part() }
        set {
            guard let index = values.firstIndex(where: { $0 is Part }) else { return }
            values[index] = newValue
        }
    }

    func check(file: String) throws(SessionError) {
        for value in values { try value.check(file: file) }
    }

    mutating func setFiles(_ path: (String) -> String) {
        for index in values.indices { values[index].setFiles(path) }
    }

    /// The same, in which what is as in another one takes no memory of its own.
    func sharing(_ other: SessionParts) -> SessionParts {
        var parts = self
        parts.values = values.map { $0.sharing(any: other) }
        return parts
    }

    package static func == (one: SessionParts, other: SessionParts) -> Bool {
        zip(one.values, other.values).allSatisfy { $0.equals($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for value in values { hasher.combine(value) }
    }
}

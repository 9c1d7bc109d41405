/// A part of a session that is a folder of its own in every layer, as the pads are: what the session's file has of it.
///
/// The layers above know more of it by protocols of their own, which a part takes up in its folder there: its verbs
/// (``ScriptedPart``), its edits (``EditedPart``), what it is in the engine (``PlayedPart``). ``SessionParts/all``
/// lists the parts; nothing else names them.
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

/// The parts of a session's file, a value of a type of its own for each; the document need not know them.
package struct SessionParts: Hashable, Sendable {
    /// Those that are not what a part is of which the file says nothing.
    private var values: [ObjectIdentifier: any SessionPart] = [:]

    /// What there is of one.
    package subscript<Part: SessionPart>(_ part: Part.Type) -> Part {
        get { values[ObjectIdentifier(part)] as? Part ?? Part() }
        set { values[ObjectIdentifier(part)] = newValue == Part() ? nil : newValue }
    }

    /// The same, in which what is as in another one takes no memory of its own.
    func sharing(_ other: SessionParts) -> SessionParts {
        var parts = self
        parts.values = values.mapValues { $0.sharing(any: other) }
        return parts
    }

    package static func == (one: SessionParts, other: SessionParts) -> Bool {
        one.values.count == other.values.count
            && one.values.allSatisfy { part, value in other.values[part].map { value.equals($0) } ?? false }
    }

    package func hash(into hasher: inout Hasher) {
        // In no order.
        hasher.combine(values.values.reduce(0) { $0 ^ $1.hashValue })
    }
}

/// A part of the document whose keys an edit can set. It is declared beside what it is in the document.
package struct DocumentPart: Hashable, Sendable {
    /// What it is called.
    package let rawValue: String
    /// Where it is.
    package let place: Place
    /// Keys that can be set.
    let example: JSONValue
    private let facts: @Sendable () -> [ArgumentFacts]

    /// The place of a part in the document.
    package enum Place: Hashable, Sendable {
        /// It is one of a list, and called by its own name.
        case element
        /// It is one of the list with another name.
        case elementOf(String)
        /// It is the value of the key of its name.
        case value
        /// It is the whole.
        case whole
    }

    /// A part of the document; its keys are asked for when they are needed, for they may name other parts.
    init(
        _ rawValue: String, _ place: Place, example: JSONValue, keys: @escaping @Sendable () -> [ArgumentFacts]
    ) {
        (self.rawValue, self.place, self.example, facts) = (rawValue, place, example, keys)
    }

    /// One that is a type of its own.
    init<Document: KeyedDocument>(_ rawValue: String, _ place: Place, example: JSONValue, of document: Document.Type) {
        self.init(rawValue, place, example: example) { Document.keys.map(\.facts) }
    }

    /// Its keys.
    package var keys: [ArgumentFacts] { facts() }

    /// What its keys are called.
    var words: String {
        switch place {
        case .whole: "keys of the \(rawValue)"
        case .element: "keys of \("aeiou".contains(rawValue.first ?? "-") ? "an" : "a") \(rawValue)"
        case .elementOf(let list): "keys of an item of the \(list)"
        case .value: "keys of `\(rawValue)`"
        }
    }

    package static func == (one: DocumentPart, other: DocumentPart) -> Bool { one.rawValue == other.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

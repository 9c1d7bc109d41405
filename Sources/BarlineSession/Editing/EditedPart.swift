/// A part that has edits.
protocol EditedPart: SessionPart {
    /// Their verbs, in the order in which they are listed.
    static var edits: [Verb<DocumentEdit>] { get }
    /// The ways in which files are brought in to it: each is known by the word of its key `to`.
    static var imports: [Form<DocumentEdit>] { get }
}

extension EditedPart {
    static var imports: [Form<DocumentEdit>] { [] }
}

extension SessionParts {
    static let edited: [any EditedPart.Type] = all.compactMap { $0 as? any EditedPart.Type }
}

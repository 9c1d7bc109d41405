/// All verbs of a session: what the page, OSC, MIDI and programs can ask for, and what is said of it.
///
/// A verb is declared once, beside the action that it makes, and is listed there; nothing else has to know of it.
package enum Verbs {
    /// What is known of every verb, in the order in which they are listed.
    package static let facts: [VerbFacts] =
        ScriptAction.verbs.map(\.facts) + RelativeAction.verbs.map(\.facts) + DocumentEdit.verbs.map(\.facts)
        + SessionRequest.verbs.map(\.facts)

    /// What reads an action, by its word.
    static let control: [String: Verb<ControlAction>] = {
        var verbs: [Verb<ControlAction>] = []
        verbs += ScriptAction.verbs.map { $0.asked { .perform($0, at: nil) } }
        verbs += RelativeAction.verbs.map { $0.asked { .relative($0, at: nil) } }
        verbs += DocumentEdit.verbs.map { $0.asked(ControlAction.edit) }
        verbs += SessionRequest.verbs.map { $0.asked(ControlAction.manage) }
        return Dictionary(verbs.map { ($0.facts.word, $0) }, uniquingKeysWith: { $1 })
    }()

    /// What is understood of an action, in the keys in which it would be written.
    ///
    /// - Throws: ``SessionError`` as ``ControlAction/init(_:source:)`` does.
    static func echo(_ value: JSONValue, source: String) throws(SessionError) -> JSONValue {
        var reader = try ObjectReader(value, file: source, path: "")
        guard let verb = control[try reader.requiredString("do")] else {
            throw reader.unknownAction()
        }
        return .object(try verb.echo(&reader))
    }
}

extension Verb {
    /// The same as something that is asked for, which is not written.
    fileprivate func asked(_ into: @escaping @Sendable (Action) -> ControlAction) -> Verb<ControlAction> {
        map(into) { _ in nil }
    }
}

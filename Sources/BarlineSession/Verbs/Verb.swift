/// A verb: the one declaration of what can be asked for by a word, from which it is read and written, reached by OSC,
/// described for programs and listed in the documentation.
package struct Verb<Action: Sendable>: Sendable {
    package let facts: VerbFacts
    let forms: [Form<Action>]
    /// What the undo button calls what it sets; `nil` for what sets nothing, and for edits, which say it themselves.
    let undo: String?

    /// A verb with several forms; an object is of the first that it matches.
    init(
        _ word: String, _ summary: String, kind: VerbFacts.Kind = .performance, osc: [[String]]? = nil,
        undo: String? = nil, forms: [Form<Action>]
    ) {
        facts = VerbFacts(word: word, summary: summary, kind: kind, forms: forms.map(\.facts), osc: osc)
        self.forms = forms
        self.undo = undo
    }

    /// A verb with one form; `isPlaying` says whether it only plays, and neither reads nor writes files nor edits.
    package init<each Value: Sendable>(
        _ word: String, _ summary: String, kind: VerbFacts.Kind = .performance, osc: [[String]]? = nil,
        undo: String? = nil, isPlaying: Bool = true, _ arguments: repeat VerbArgument<each Value>,
        make: @escaping @Sendable (repeat each Value) throws(SessionError) -> Action,
        match: @escaping @Sendable (Action) -> (repeat each Value)? = { _ in nil }
    ) {
        let form = Form<Action>(isPlaying: isPlaying, repeat each arguments, make: make, match: match)
        self.init(word, summary, kind: kind, osc: osc, undo: undo, forms: [form])
    }

    /// The same as a word of scripts too, which do it on its frame.
    var scripted: Verb {
        var facts = facts
        facts.isScripted = true
        return Verb(facts, forms, undo: undo)
    }

    private init(_ facts: VerbFacts, _ forms: [Form<Action>], undo: String?) {
        (self.facts, self.forms, self.undo) = (facts, forms, undo)
    }

    /// Reads an action whose word is this one; `source` is what errors call it.
    package func read(_ value: JSONValue, source: String) throws(SessionError) -> Action {
        var reader = try ObjectReader(value, file: source, path: "")
        return try read(&reader)
    }

    /// Reads an action whose word is this one.
    func read(_ reader: inout ObjectReader) throws(SessionError) -> Action { try form(of: &reader).read(&reader) }

    /// What is understood of an object, as it would be written.
    func echo(_ reader: inout ObjectReader) throws(SessionError) -> [String: JSONValue] {
        var values = try form(of: &reader).echo(&reader)
        values["do"] = .string(facts.word)
        return values
    }

    /// An action's keys; `nil` where it is of another verb.
    func write(_ action: Action) -> [String: JSONValue]? {
        for form in forms {
            guard var values = form.write(action) else { continue }
            values["do"] = .string(facts.word)
            return values
        }
        return nil
    }

    /// What the undo button calls an action; `nil` where it is of another verb, or sets nothing.
    func label(of action: Action) -> String? {
        forms.first { $0.write(action) != nil }.flatMap { $0.undo ?? undo }
    }

    private func form(of reader: inout ObjectReader) throws(SessionError) -> Form<Action> {
        for form in forms where form.facts.matches(reader.values) { return form }
        // The word of the forms is wrong: that it is not text is reported first.
        let key = forms.lazy.compactMap(\.facts.constants.first?.key).first ?? "do"
        _ = try reader.string(key)
        throw reader.error(key, expected: Verb.list(words(of: key)))
    }

    private func words(of key: String) -> [String] {
        var words: [String] = []
        for form in forms {
            guard case .string(let word)? = form.facts.constants.first(where: { $0.key == key })?.value else {
                continue
            }
            if !words.contains(word) { words.append(word) }
        }
        return words
    }

    private static func list(_ words: [String]) -> String {
        let quoted = words.map { "\"\($0)\"" }
        guard quoted.count > 1, let last = quoted.last else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The same as a part of another action.
    func map<Other: Sendable>(
        _ into: @escaping @Sendable (Action) -> Other, _ back: @escaping @Sendable (Other) -> Action?
    ) -> Verb<Other> {
        Verb<Other>(facts, forms.map { $0.map(into, back) }, undo: undo)
    }
}

extension Verb where Action: Equatable {
    /// A verb without arguments.
    init(
        _ word: String, _ summary: String, kind: VerbFacts.Kind = .performance, osc: [[String]]? = nil,
        undo: String? = nil, _ action: Action
    ) {
        self.init(word, summary, kind: kind, osc: osc, undo: undo, forms: [Form(action)])
    }
}

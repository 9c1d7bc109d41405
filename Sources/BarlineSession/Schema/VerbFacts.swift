/// The facts about a verb, for all that describes it: the OpenAPI schema, OSC, the tables of the documentation, tests.
package struct VerbFacts: Sendable {
    /// The subject of a verb.
    package enum Kind: String, Sendable, CaseIterable {
        /// A word of the performance script, or one that becomes such a word when it is asked for.
        case performance
        /// A change of the document.
        case edit
        /// A session's file and the library.
        case file
        /// The session that is open: its history, its recordings, its controllers.
        case session
        /// The machine that it runs on.
        case output
    }

    /// The word, in the key `do`.
    package let word: String
    /// What it does, in Markdown.
    package let summary: String
    package let kind: Kind
    /// The ways in which it can be asked for.
    package let forms: [FormFacts]
    /// The orders that its arguments have in messages of OSC: the first with as many as there are, else the first.
    /// `nil` where it has no address of its own.
    package var osc: [[String]]?
    /// Whether scripts have it too, though it is a change of the document.
    package var isScripted = false

    /// The order of the arguments of a message with so many values, of which the first is text: where the text chooses
    /// among the forms, one that such a form has, or else the form's own.
    package func oscKeys(count: Int, text: String? = nil) -> [String]? {
        let orders = osc?.filter { $0.count == count } ?? []
        guard let text, let key = osc?.first?.first else { return orders.first ?? osc?.first }
        let chosen = forms.filter { form in form.constants.contains { $0.key == key && $0.value == .string(text) } }
        let own = chosen.map { form in
            [key] + form.constants.map(\.key).filter { $0 != key } + form.arguments.map(\.key)
        }
        let order = orders.first { order in own.contains { Set($0).isSuperset(of: order) } }
        return order ?? own.first { $0.count >= count }.map { Array($0.prefix(count)) } ?? orders.first ?? osc?.first
    }

    /// The form that an object is of; `nil` for none.
    package func form(of object: [String: JSONValue]) -> FormFacts? { forms.first { $0.matches(object) } }

    /// The keys of all its forms.
    package var keys: Set<String> {
        Set(forms.flatMap { $0.constants.map(\.key) + $0.arguments.map(\.key) })
    }

    /// An argument, of whatever form.
    package func argument(_ key: String) -> ArgumentFacts? {
        forms.lazy.flatMap(\.arguments).first { $0.key == key }
    }
}

/// One way in which a verb can be asked for.
package struct FormFacts: Sendable {
    /// The keys that say that it is this one, with their values, in their order.
    package var constants: [(key: String, value: JSONValue)] = []
    /// The key whose presence says that it is this one.
    package var presence: String?
    /// The arguments, in their order.
    package var arguments: [ArgumentFacts] = []
    /// Whether one of the arguments at least must be there.
    package var needsOne = false
    /// Whether it only plays: it reads and writes no file, and changes nothing of what the session consists of.
    package var isPlaying = true

    /// Whether an object is of this form.
    func matches(_ object: [String: JSONValue]) -> Bool {
        if let presence, object[presence] ?? .null == .null { return false }
        return constants.allSatisfy { object[$0.key] == $0.value }
    }
}

/// An argument of a verb, or a key of the document.
package struct ArgumentFacts: Hashable, Sendable {
    package let key: String
    package let value: ValueFacts
    /// What it means, in Markdown; empty where the key says it.
    package var summary = ""
    package var isRequired = false
    /// What is taken where it is missing; `nil` where that is said in words, or is nothing.
    package var standard: JSONValue?
    /// The same in words, in Markdown; empty where it is said by the value.
    package var standardWords = ""
    /// The arguments of one group are alternatives.
    package var group: [String] = []
}

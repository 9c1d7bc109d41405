/// One way in which a verb can be asked for: its arguments, and the action that they make.
///
/// `make` and `match` are each other's inverse, so that an action is read from JSON and written as JSON by one
/// declaration.
package struct Form<Action: Sendable>: Sendable {
    let facts: FormFacts
    /// What the undo button calls it; `nil` for what the verb's is called.
    let undo: String?
    let read: @Sendable (inout ObjectReader) throws(SessionError) -> Action
    /// The keys of an action; `nil` where it is of another form.
    let write: @Sendable (Action) -> [String: JSONValue]?
    /// The keys that were understood, as they would be written.
    let echo: @Sendable (inout ObjectReader) throws(SessionError) -> [String: JSONValue]

    /// A form with arguments.
    ///
    /// - Parameters:
    ///   - constants: the keys that say that it is this form, with their values.
    ///   - presence: the key whose presence says so.
    ///   - undo: what the undo button calls it; `nil` for what the verb's is called.
    ///   - needsOne: the key and what is expected of it, where one argument at least must be there.
    ///   - isPlaying: whether it only plays, and neither reads nor writes files nor edits.
    ///   - arguments: the arguments, in the order that OSC and the tables have.
    ///   - make: makes the action of them.
    ///   - match: returns them; `nil` for an action of another form, always so where actions are never written.
    init<each Value: Sendable>(
        when constants: KeyValuePairs<String, JSONValue> = [:], presence: String? = nil,
        undo: String? = nil, needsOne: (key: String, expected: String)? = nil, isPlaying: Bool = true,
        _ arguments: repeat VerbArgument<each Value>,
        make: @escaping @Sendable (repeat each Value) throws(SessionError) -> Action,
        match: @escaping @Sendable (Action) -> (repeat each Value)? = { _ in nil }
    ) {
        var facts = FormFacts()
        facts.constants = constants.map { ($0.key, $0.value) }
        facts.presence = presence
        facts.needsOne = needsOne != nil
        facts.isPlaying = isPlaying
        repeat facts.arguments += (each arguments).facts
        (self.facts, self.undo) = (facts, undo)
        let given = facts.arguments
        let written = Dictionary(constants.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let check: @Sendable (inout ObjectReader) throws(SessionError) -> Void = { reader throws(SessionError) in
            if let needsOne, !given.contains(where: { reader.isPresent($0.key, $0.value) }) {
                throw reader.error(needsOne.key, expected: needsOne.expected)
            }
        }
        read = { reader throws(SessionError) in
            try check(&reader)
            return try make(repeat try (each arguments).read(&reader))
        }
        write = { action in
            guard let values = match(action) else { return nil }
            var object = written
            repeat (each arguments).write(each values, &object)
            return object
        }
        echo = { reader throws(SessionError) in
            try check(&reader)
            var object = written
            repeat (each arguments).write(try (each arguments).read(&reader), &object)
            return object
        }
    }

    private init(
        _ facts: FormFacts, _ undo: String?,
        read: @escaping @Sendable (inout ObjectReader) throws(SessionError) -> Action,
        write: @escaping @Sendable (Action) -> [String: JSONValue]?,
        echo: @escaping @Sendable (inout ObjectReader) throws(SessionError) -> [String: JSONValue]
    ) {
        (self.facts, self.undo, self.read, self.write, self.echo) = (facts, undo, read, write, echo)
    }

    /// The same as a part of another action.
    func map<Other: Sendable>(
        _ into: @escaping @Sendable (Action) -> Other, _ back: @escaping @Sendable (Other) -> Action?
    ) -> Form<Other> {
        Form<Other>(
            facts, undo, read: { reader throws(SessionError) in into(try read(&reader)) },
            write: { back($0).flatMap(write) }, echo: echo)
    }
}

extension Form where Action: Equatable {
    /// A form without arguments, which is one action.
    init(
        when constants: KeyValuePairs<String, JSONValue> = [:], undo: String? = nil, isPlaying: Bool = true,
        _ action: Action
    ) {
        self.init(
            when: constants, undo: undo, isPlaying: isPlaying, make: { action }, match: { $0 == action ? () : nil })
    }
}

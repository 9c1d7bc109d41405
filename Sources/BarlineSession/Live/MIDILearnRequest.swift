/// A request to map the next control that is moved.
package struct MIDILearnRequest: Hashable, Sendable {
    /// What is done.
    package let action: JSONValue
    private let key: String?
    private let from: Double
    private let to: Double

    init(_ reader: inout ObjectReader) throws(SessionError) {
        guard let action = reader.value("action") else { throw reader.error("action", expected: "an action") }
        self.action = action
        key = try reader.string("key")
        let range = MIDIDocument.Mapping.range(of: key, in: action)
        from = try MIDIDocument.Mapping.bound.read(&reader, "from") ?? range.lowerBound
        to = try MIDIDocument.Mapping.bound.read(&reader, "to") ?? range.upperBound
        // Whether it can be done is answered now, not when a control is moved.
        var trial: [String: JSONValue] = [
            "message": "note", "number": 0, "action": action, "from": .number(from), "to": .number(to),
        ]
        if let key { trial["key"] = .string(key) }
        _ = try MIDIDocument.Mapping(ObjectReader(.object(trial), file: reader.file, path: ""))
    }

    /// What the lowest value does.
    var lowest: JSONValue { mapping(.note, channel: 0, number: 0).action(for: 0) }

    /// The mapping for a control.
    package func mapping(_ message: MIDIDocument.Mapping.Message, channel: Int, number: Int) -> MIDIDocument.Mapping {
        MIDIDocument.Mapping(
            message: message, channel: channel, number: number, action: action, key: key, from: from, to: to)
    }
}

extension VerbArgument where Value == MIDILearnRequest {
    /// What a control is to do.
    static var learnRequest: VerbArgument {
        let action = ValueType<JSONValue>.object("an action", examples: [["do": "tap"]])
        return VerbArgument(
            facts: [
                ArgumentFacts(key: "action", value: action.facts, isRequired: true),
                ArgumentFacts(key: "key", value: ValueType<String>.text.facts),
                ArgumentFacts(key: "from", value: MIDIDocument.Mapping.bound.facts, summary: "else the key's range"),
                ArgumentFacts(key: "to", value: MIDIDocument.Mapping.bound.facts, summary: "else the key's range"),
            ], read: { reader throws(SessionError) in try MIDILearnRequest(&reader) },
            write: { learnRequest, values in values.merge(learnRequest.json) { $1 } })
    }
}

extension MIDILearnRequest {
    fileprivate var json: [String: JSONValue] {
        var values: [String: JSONValue] = ["action": action]
        if let key { values["key"] = .string(key) }
        let range = MIDIDocument.Mapping.range(of: key, in: action)
        if from != range.lowerBound { values["from"] = .number(from) }
        if to != range.upperBound { values["to"] = .number(to) }
        return values
    }
}

import BarlineSession

/// Verbs in JSON Schema.
enum VerbSchema {
    /// The schemas of all actions, by their names.
    static func schemas(_ verbs: [VerbFacts]) -> [String: JSONValue] {
        var schemas: [String: JSONValue] = [:]
        for verb in verbs { schemas[name(verb)] = schema(verb) }
        let mapping = verbs.map { ($0.word, JSONValue.string(reference(verb: $0))) }
        schemas["Action"] = [
            "description": "Something to do, by its word",
            "anyOf": .array(verbs.map { ["$ref": .string(reference(verb: $0))] }),
            "discriminator": [
                "propertyName": "do", "mapping": .object(Dictionary(mapping, uniquingKeysWith: { $1 })),
            ],
        ]
        return schemas
    }

    private static func name(_ verb: VerbFacts) -> String { "Action.\(verb.word)" }

    private static func reference(verb: VerbFacts) -> String { "#/components/schemas/\(name(verb))" }

    private static func schema(_ verb: VerbFacts) -> JSONValue {
        var forms = verb.forms.map { form($0, of: verb) }
        let description = JSONValue.string(verb.summary)
        guard forms.count == 1, case .object(var values) = forms.removeFirst() else {
            return ["description": description, "anyOf": .array(verb.forms.map { form($0, of: verb) })]
        }
        values["description"] = description
        return .object(values)
    }

    private static func form(_ form: FormFacts, of verb: VerbFacts) -> JSONValue {
        var required = ["do"]
        var properties: [String: JSONValue] = ["do": ["const": .string(verb.word)]]
        var choices: [JSONValue] = []
        for constant in form.constants {
            properties[constant.key] = ["const": constant.value]
            required.append(constant.key)
        }
        for argument in form.arguments {
            properties[argument.key] = schema(argument)
            if argument.group.isEmpty, argument.isRequired { required.append(argument.key) }
            if argument.isRequired, argument.group.first == argument.key {
                choices = argument.group.map { ["required": [.string($0)]] }
            }
        }
        if form.needsOne { choices = form.arguments.map { ["required": [.string($0.key)]] } }
        if verb.kind == .performance {
            properties["at"] = [
                "oneOf": [["type": "number", "minimum": 0], ["const": "nextBar"]],
                "description": "seconds from now, or the next bar line",
            ]
            properties["frame"] = ["type": "integer", "minimum": 0]
            for (key, type, words) in [("beat", "number", "a beat, from 0 on"), ("bar", "integer", "a bar, from 1 on")]
            where properties[key] == nil {
                properties[key] = [
                    "type": .string(type), "description": .string("\(words): when it comes, whatever the tempo does"),
                ]
            }
        }
        var schema: [String: JSONValue] = [
            "type": "object", "required": .array(required.map(JSONValue.string)), "properties": .object(properties),
        ]
        if !choices.isEmpty { schema["anyOf"] = .array(choices) }
        return .object(schema)
    }

    /// An argument, or a key of the document.
    static func schema(_ argument: ArgumentFacts) -> JSONValue {
        let value = schema(argument.value, isNullable: !argument.isRequired || argument.value.null != nil)
        guard case .object(var values) = value else { return value }
        if !argument.summary.isEmpty { values["description"] = .string(argument.summary) }
        if let standard = argument.standard { values["default"] = standard }
        return .object(values)
    }

    private static func schema(_ facts: ValueFacts, isNullable: Bool) -> JSONValue {
        let type = JSONValue.string(facts.kind.rawValue)
        if let part = facts.part {
            // An edit sets keys of a part, and the document has whole ones.
            if facts.kind == .list { return ["type": type, "items": ["$ref": .string(KeySchema.whole(part))]] }
            return ["$ref": .string(facts.examples.isEmpty ? KeySchema.whole(part) : KeySchema.keys(part))]
        }
        var values: [String: JSONValue] = ["type": isNullable ? [type, "null"] : type]
        if !facts.words.isEmpty {
            values["enum"] = .array(facts.words.map(JSONValue.string) + (isNullable ? [.null] : []))
        }
        if let range = facts.range {
            if range.lowerBound > -.greatestFiniteMagnitude {
                values[facts.isAboveLowest ? "exclusiveMinimum" : "minimum"] = .number(range.lowerBound)
            }
            values["maximum"] = .number(range.upperBound)
        }
        if let unit = facts.unit { values["x-unit"] = .string(unit) }
        if let control = facts.control {
            values["x-midi"] = ["from": .number(control.lowerBound), "to": .number(control.upperBound)]
        }
        if facts.words.isEmpty, facts.kind != .text, !facts.examples.isEmpty {
            values["examples"] = .array(facts.examples)
        }
        return .object(values)
    }
}

import BarlineEngine

/// An effect of a strip, as stored in a session file.
public struct EffectDocument: Hashable, Sendable {
    /// The identifier, unique within the strip.
    public var id: String
    /// The name of an `EffectKind`. An unknown one is kept, and has no effect.
    public var type: String
    /// Whether it is bypassed.
    public var bypass = false
    /// The values of its parameters by name; missing ones have their initial value.
    public var parameters: [String: Double] = [:]
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates an effect whose parameters have their initial values.
    public init(id: String, type: String) {
        self.id = id
        self.type = type
    }

    /// The kind of effect; `nil` for an unknown one.
    public var kind: EffectKind? { EffectKind(rawValue: type) }

    /// What the engine makes of it; `nil` for what this version does not know.
    var settings: EffectSettings? {
        guard let kind else { return nil }
        var settings = EffectSettings(kind)
        settings.isBypassed = bypass
        for (name, value) in parameters { settings[name] = value }
        return settings
    }
}

extension EffectDocument: KeyedDocument {
    static var standard: EffectDocument { EffectDocument(id: "", type: "") }

    static let keys: [DocumentKey<EffectDocument>] =
        [
            .required("id", \.id, .words, "what scripts call it"),
            .required(
                "type", \.type, .words,
                EffectKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
                    + "; any other is kept and not heard"),
            .standard("bypass", \.bypass, .flag, "whether the sound passes it by"),
        ] + EffectKind.allCases.flatMap { kind in kind.parameters.map { key($0, of: kind) } }

    /// The key of a parameter, which effects of other kinds don't have.
    private static func key(_ parameter: ParameterDescription, of kind: EffectKind) -> DocumentKey<EffectDocument> {
        let type = ValueType.parameter(parameter)
        var facts = ArgumentFacts(key: parameter.name, value: type.facts, summary: "of a `\(kind.rawValue)`")
        facts.standard = type.write(parameter.initialValue)
        return DocumentKey(
            facts: facts,
            read: { reader, effect throws(SessionError) in
                guard effect.kind == kind, let value = try type.read(&reader, parameter.name) else { return }
                effect.parameters[parameter.name] = value
            },
            write: { effect, values in
                guard effect.kind == kind else { return }
                values[parameter.name] = type.write(effect.parameters[parameter.name] ?? parameter.initialValue)
            }, take: { $0.parameters[parameter.name] = $1.parameters[parameter.name] })
    }

    var json: JSONValue { .object(values) }
}

extension ValueType where Value == Double {
    /// What a parameter of an effect may be: a number, or one of its words.
    static func parameter(_ parameter: ParameterDescription) -> ValueType {
        let words = parameter.words
        if words.isEmpty {
            let range = parameter.range
            let expected = "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
            var type = ValueType.number(expected, range, unit: parameter.unit == .hertz ? "Hz" : nil)
            type.facts.isLogarithmic = parameter.isLogarithmic
            return type
        }
        return .words(
            words, { words.firstIndex(of: $0).map(Double.init) },
            { words.indices.contains(Int($0)) ? .string(words[Int($0)]) : .null })
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var plain: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

import BarlineEngine
import BarlineTime

/// The recipe of a layer, as stored in a session file: what it takes to make it again where it turns out to have been
/// played at another time.
package struct LayerPass: Hashable, Sendable {
    /// The audio that was played, as it was captured; `nil` for a change of the loop as a whole.
    package struct Played: Hashable, Sendable {
        /// The audio file, relative to the session's folder.
        var file: String
        /// The frame of it that belongs to the layer's first one.
        var start: Int
    }

    package var played: Played?
    package var recipe: LayerRecipe
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]
}

extension ValueType where Value == LayerPass {
    /// How a layer was made.
    static var layerPass: ValueType {
        var facts = ValueFacts(
            .object,
            expected:
                "an object like {\"file\": \"input.wav\", \"start\": 24000, \"recorded\": 96000, \"feedback\": 80, "
                + "\"position\": 0, \"length\": 96000} or {\"change\": \"reverse\", \"position\": 0, \"length\": 96000}"
        )
        facts.examples = [
            [
                "file": "input.wav", "start": 24_000, "recorded": 96_000, "feedback": 80, "position": 0,
                "length": 96_000,
            ],
            ["change": "reverse", "position": 0, "length": 96_000],
        ]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .object(let values)? = reader.value(key), let pass = LayerPass(values) else {
                    throw reader.error(key, expected: facts.expected)
                }
                return pass
            }, write: \.json)
    }
}

extension LayerPass {
    /// Reads one; `nil` where it is none.
    fileprivate init?(_ values: [String: JSONValue]) {
        guard case .number(let position)? = values["position"], position.isFinite,
            position.magnitude <= Double(NumberBounds.frame), let length = LayerPass.frames(values["length"]),
            length > 0
        else { return nil }
        if case .string(let word)? = values["change"] {
            guard let change = LoopChange(rawValue: word) else { return nil }
            (played, recipe) = (nil, LayerRecipe(.change(change), position: position, length: length))
            rest = values.filter { known[$0.key] == nil }
            return
        }
        guard case .string(let file)? = values["file"], !file.isEmpty, let start = LayerPass.frames(values["start"]),
            let recorded = LayerPass.frames(values["recorded"]), recorded <= length,
            case .number(let feedback)? = values["feedback"], (0...100).contains(feedback)
        else { return nil }
        played = Played(file: file, start: start)
        recipe = LayerRecipe(
            .overdub(feedback: Float(feedback / 100), recorded: recorded), position: position, length: length)
        rest = values.filter { known[$0.key] == nil }
    }

    private static func frames(_ value: JSONValue?) -> Int? {
        guard case .number(let number)? = value, number == number.rounded(),
            (0...Double(NumberBounds.frame)).contains(number)
        else { return nil }
        return Int(number)
    }

    fileprivate var json: JSONValue { .object(rest.merging(known) { $1 }) }

    private var known: [String: JSONValue] {
        var values: [String: JSONValue] = [
            "position": .number(recipe.position), "length": .number(Double(recipe.length)),
        ]
        switch recipe.making {
        case .change(let change): values["change"] = .string(change.rawValue)
        case .overdub(let feedback, let recorded):
            values["recorded"] = .number(Double(recorded))
            // The shortest decimal that is this level, as it was asked for.
            values["feedback"] = .number(LayerPass.percent(feedback))
            values["file"] = .string(played?.file ?? "")
            values["start"] = .number(Double(played?.start ?? 0))
        }
        return values
    }

    private static func percent(_ feedback: Float) -> Double {
        let percent = (Double("\(feedback)") ?? Double(feedback)) * 100
        let rounded = (percent * 1e6).rounded() / 1e6
        return Float(rounded / 100) == feedback ? rounded : percent
    }
}

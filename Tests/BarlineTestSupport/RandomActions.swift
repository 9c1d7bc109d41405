import BarlineSession

/// Makes objects of what the registry declares of a verb: any that may be sent.
package struct RandomActions {
    package var random: TestRandom

    package init(seed: UInt64) { random = TestRandom(seed: seed) }

    /// An object of a form, with arguments within their ranges.
    package mutating func object(_ verb: VerbFacts, _ form: FormFacts) -> [String: JSONValue] {
        var object: [String: JSONValue] = ["do": .string(verb.word)]
        for constant in form.constants { object[constant.key] = constant.value }
        let telling = Set(verb.forms.flatMap { $0.constants.map(\.key) })
        let only = Bool.random(using: &random) ? form.arguments.randomElement(using: &random)?.key : nil
        var groups: Set<[String]> = []
        for argument in form.arguments where !telling.contains(argument.key) {
            if argument.group.isEmpty {
                let isChosen = form.needsOne ? only ?? argument.key == argument.key : Bool.random(using: &random)
                if argument.isRequired || isChosen { object[argument.key] = value(argument.value) }
            } else if groups.insert(argument.group).inserted {
                // One of those that stand in each other's place.
                let others = form.arguments.filter { $0.group == argument.group }
                guard argument.isRequired || Bool.random(using: &random) else { continue }
                let chosen = others[Int.random(in: 0..<others.count, using: &random)]
                object[chosen.key] = value(chosen.value)
            }
        }
        // A region has a length.
        if case .number(let start)? = object["start"], object["end"] != nil {
            object["start"] = .number(start / 2)
            object["end"] = .number(start / 2 + 1)
        }
        return object
    }

    /// A value that is allowed.
    package mutating func value(_ facts: ValueFacts) -> JSONValue {
        if !facts.words.isEmpty { return .string(facts.words[Int.random(in: 0..<facts.words.count, using: &random)]) }
        if facts.null != nil, facts.kind != .flag, Int.random(in: 0..<4, using: &random) == 0 { return .null }
        switch facts.kind {
        case .flag: return .bool(Bool.random(using: &random))
        case .number: return .number(Double.random(in: RandomActions.range(facts), using: &random))
        case .whole:
            let range = RandomActions.range(facts)
            let number = Int.random(in: Int(range.lowerBound)...Int(range.upperBound), using: &random)
            return .number(Double(number == 0 ? Int(range.upperBound) : number))
        case .text, .object, .list:
            return facts.examples[Int.random(in: 0..<facts.examples.count, using: &random)]
        }
    }

    private static func range(_ facts: ValueFacts) -> ClosedRange<Double> {
        let range = facts.range ?? -1000...1000
        return max(range.lowerBound, -0x1p53)...range.upperBound
    }

    /// Numbers that are not allowed.
    package static func outside(_ facts: ValueFacts) -> [JSONValue] {
        guard let range = facts.range else { return [] }
        var values: [Double] = [range.upperBound + max(1, range.upperBound.ulp), 0x1p60, 1e300]
        if range.lowerBound > -0x1p60 {
            values += [range.lowerBound - max(1, range.lowerBound.ulp), -1e300]
            if facts.isAboveLowest { values.append(range.lowerBound) }
        }
        if facts.kind == .whole { values.append(range.lowerBound + 0.5) }
        return values.map(JSONValue.number) + [.integer(.max), true, "many"]
    }
}

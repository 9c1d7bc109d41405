import BarlineEngine

/// The page's module about effects: the names of them and of their parameters, and the values that those may have.
enum EffectModule {
    static var text: String {
        let kinds = EffectKind.allCases.map { kind in
            let (choices, numbers) = (
                kind.parameters.filter { !$0.words.isEmpty }, kind.parameters.filter(\.words.isEmpty)
            )
            return member(
                kind.rawValue,
                [
                    "name: \(quoted(kind.title)),",
                    member("parameters", numbers.map { member($0.name, facts($0), 3) }, 2),
                    member("choices", choices.map { member($0.name, words($0), 3) }, 2),
                ], 1)
        }
        return """
            // The effects that there are, with what they and their parameters are called and may be: made of their declarations in the
            // engine, by `make reference`.
            // biome-ignore-all lint/suspicious/noApproximativeNumericConstant: values are those of the engine.

            export const effectKinds = {
              \(kinds.joined(separator: "\n  "))
            }

            """
    }

    private static func facts(_ parameter: ParameterDescription) -> [String] {
        let unit = parameter.unit == .hertz ? " Hz" : ""
        return [
            "name: \(quoted(parameter.title)),", "from: \(plain(parameter.range.lowerBound)),",
            "to: \(plain(parameter.range.upperBound)),", "initial: \(plain(parameter.initialValue)),",
            "unit: \(quoted(unit)),",
        ]
    }

    private static func words(_ parameter: ParameterDescription) -> [String] {
        let words = zip(parameter.words, parameter.wordTitles).map { word, title in "\(word): \(quoted(title))," }
        return ["name: \(quoted(parameter.title)),", member("words", words, 4)]
    }

    /// A member of an object that is one itself, `depth` objects deep.
    private static func member(_ name: String, _ lines: [String], _ depth: Int) -> String {
        if lines.isEmpty { return "\(name): {}," }
        let indent = "\n" + String(repeating: "  ", count: depth)
        return "\(name): {" + lines.map { indent + "  " + $0 }.joined() + indent + "},"
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }

    /// Without a fraction where there is none.
    private static func plain(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

import BarlineSession

/// The actions that belong to playing: those that neither read or write files, nor change the session's content or
/// where the sound goes, and that say nothing but what they declare.
package enum PerformanceAction {
    private static let verbs = Dictionary(
        Reference.verbs.filter { $0.kind == .performance || $0.word == "resetOvers" }.map { ($0.word, $0) },
        uniquingKeysWith: { $1 })

    private static let timing: Set<String> = ["do", "at", "frame", "beat", "bar"]

    package static func includes(_ action: JSONValue) -> Bool {
        guard case .object(let values) = action, case .string(let word)? = values["do"] else { return false }
        guard let verb = verbs[word], verb.form(of: values)?.isPlaying == true else { return false }
        return values.keys.allSatisfy { timing.contains($0) || verb.keys.contains($0) }
    }
}

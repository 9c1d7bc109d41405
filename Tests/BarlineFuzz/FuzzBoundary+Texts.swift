import BarlineServer
import BarlineSession
import BarlineTime
import Foundation

extension FuzzBoundary {
    /// Sessions, scripts and actions: JSON.
    static let texts = [
        FuzzBoundary("session", limit: 1 << 15, words: words, take: readSession),
        FuzzBoundary("script", limit: 1 << 14, words: words, take: readScript),
        FuzzBoundary("action", limit: 1 << 12, words: words, take: readAction),
    ]

    /// What the declarations of verbs and keys have of names and words.
    private static let words: [String] = {
        var words: Set<String> = []
        for verb in Reference.verbs {
            words.insert(verb.word)
            for argument in verb.forms.flatMap(\.arguments) {
                words.insert(argument.key)
                words.formUnion(argument.value.words)
            }
        }
        words.formUnion(DocumentPart.allCases.flatMap(\.keys).map(\.key))
        return words.sorted()
    }()

    /// What is read can be written, and means the same when it is read again.
    private static func readSession(_ input: [UInt8]) throws {
        guard let value = try? JSONValue(parsing: Data(input)),
            let document = try? SessionDocument(value, file: "session")
        else { return }
        let written = document.json
        let again: SessionDocument
        do {
            again = try SessionDocument(JSONValue(parsing: written.line), file: "written")
        } catch {
            throw BrokenPromise("a session that was written is refused: \(error)")
        }
        try BrokenPromise.check(again == document, "a session that was written means something else: \(written.line)")
        _ = MIDIDocument(document)
    }

    private static func readScript(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        guard let script = try? PerformanceScript(text: text, path: "script") else { return }
        for rate in [SampleRate.standard, SampleRate(44_100)].compactMap(\.self) {
            let schedule = script.schedule(at: rate)
            try BrokenPromise.check(
                zip(schedule, schedule.dropFirst()).allSatisfy { $0.frame <= $1.frame }, "a schedule is out of order")
        }
        let path = InputFile.folder.path("script.jsonl")
        try script.write(to: path, at: .standard)
        let again: PerformanceScript
        do {
            again = try PerformanceScript(path: path)
        } catch {
            throw BrokenPromise("a script that was written is refused: \(error)")
        }
        try BrokenPromise.check(
            again.entries.map(\.action)
                == script.schedule(at: script.beginning?.sampleRate ?? .standard).map(\.entry.action),
            "a script that was written means something else")
    }

    private static func readAction(_ input: [UInt8]) throws {
        guard let value = try? JSONValue(parsing: Data(input)) else { return }
        _ = try? ControlAction(value, source: "action")
        _ = PerformanceAction.includes(value)
    }
}

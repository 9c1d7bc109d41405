import BarlineFiles
import Foundation

extension SessionError {
    /// What went wrong for people who make music: without paths, keys and words of the format.
    package var words: String {
        switch self {
        case .file(let path, let reason):
            let isDamaged = reason.hasPrefix("is not valid JSON")
            return "“\(SessionError.title(path))” \(isDamaged ? "is damaged, or is no session" : reason)."
        case .value(let path, let key, let expected, let found):
            let label = SessionError.label(key).map { "\($0): " } ?? ""
            let isPlace = ["file", "files", "folder"].contains(SessionError.lastKey(key))
            let found = isPlace ? SessionError.withoutFolder(found) : found
            let kind = SessionError.lastKey(key)
            if found == "nothing", ["clip", "track", "stem", "scene", "marker"].contains(kind) {
                return SessionError.placed("it has to be said which \(kind) is meant", path)
            }
            if found == "nothing" {
                return SessionError.placed(SessionError.missing(kind, label: label, expected: expected), path)
            }
            let sentence =
                SessionError.isForPrograms(expected)
                ? "\(label)\(found) can't be used" : "\(label)\(expected) is needed, not \(found)"
            return SessionError.placed(sentence, path)
        case .duplicate(let path, _, let id): return SessionError.placed("two things are called “\(id)”", path)
        case .unknown(_, let key, let id): return SessionError.missing(key, id)
        case .unsupported(let path, _, let what):
            // What follows tells programs what to do.
            let end = [what.range(of: "; \""), what.range(of: ": \"")].compactMap { $0?.lowerBound }.min()
            return SessionError.placed(String(what[..<(end ?? what.endIndex)]), path)
        case .audio(_, _, let error): return error.words
        case .engine(_, _, let error): return SessionError.sentence("\(error)")
        }
    }

    /// That a key has no value.
    private static func missing(_ key: String, label: String, expected: String) -> String {
        let isForPrograms = isForPrograms(expected)
        if !label.isEmpty { return isForPrograms ? "\(label)nothing was said" : "\(label)\(expected) is needed" }
        let name = key.contains(where: \.isUppercase) ? "something that is needed" : "“\(key)”"
        return isForPrograms ? "\(name) is missing" : "\(name) is missing: \(expected) is needed"
    }

    /// That there is nothing called `id`, of the kind that an action's key is about.
    private static func missing(_ key: String, _ id: String) -> String {
        let kind = ["name": "session", "inputs": "input"][key] ?? lastKey(key)
        return switch kind {
        case "scene", "copy": "There is no such \(kind)."
        case "index": "That is not there."
        default: "There is no \(kind) “\(id)”."
        }
    }

    /// What a session's file is called by those who use it.
    private static func title(_ path: String) -> String {
        let name = path.lastPathName
        return name.hasSuffix(".barline") ? String(name.dropLast(8)) : name
    }

    /// A sentence, with the session in front of it where it is about what a session's file says.
    private static func placed(_ text: String, _ path: String) -> String {
        path.hasSuffix(".barline") ? sentence("“\(title(path))”: \(text)") : sentence(text)
    }

    /// A path in quotation marks, without the folders on it.
    private static func withoutFolder(_ quoted: String) -> String {
        "\"\(quoted.filter { $0 != "\"" }.lastPathName)\""
    }

    /// Words with a capital letter and a full stop, and quotation marks as they are printed.
    package static func sentence(_ text: String) -> String {
        let quoted = text.replacing(/"([^"]*)"/) { "“\($0.1)”" }
        return quoted.prefix(1).uppercased() + quoted.dropFirst() + (quoted.hasSuffix(".") ? "" : ".")
    }

    private static func lastKey(_ key: String) -> String {
        String(key.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
    }

    /// Whether what was expected are words of the format.
    private static func isForPrograms(_ expected: String) -> Bool {
        expected.contains(/"[a-z][A-Za-z]+"/) || ["an object", "a list", "a text", "an action"].contains(expected)
    }

    /// What the page calls a key's value.
    private static func label(_ key: String) -> String? { labels[lastKey(key)] }

    private static let labels = [
        "bpm": "Tempo", "tempo": "Tempo", "beats": "Beats", "taps": "Taps", "start": "Start", "end": "End",
        "downbeat": "Downbeat", "gain": "Level", "db": "Level", "pan": "Pan", "name": "Name", "to": "Name",
        "file": "File", "files": "Files", "folder": "Folder", "timeSignature": "Metre", "quantization": "Launch on",
        "launchQuantization": "Launch on", "pattern": "Pattern", "subdivision": "Subdivision", "swing": "Swing",
        "countIn": "Count-in", "position": "Position", "snapTolerance": "Late presses",
    ]
}

extension AudioFileError {
    /// What is wrong for people who make music, with the file's name and without its folder.
    package var words: String {
        let name = path.lastPathName
        return "“\(name)” \(problem.replacing(path, with: name))."
    }
}

/// Something that the user should know.
public struct SessionWarning: Hashable, Sendable, CustomStringConvertible {
    /// For terminals and programs: with the file and the key.
    public let description: String
    /// For people who make music, without either.
    package let words: String

    init(_ description: String, words: String) {
        self.description = description
        self.words = words
    }

    init(_ error: SessionError) { self.init("\(error)", words: error.words) }

    /// A tempo that the engine can't play.
    static func clamped(_ tempo: Double, to played: String, path: String, key: String) -> SessionWarning {
        let text = "\(tempo) BPM is played as \(played)"
        return SessionWarning("\(path): \(key): \(text)", words: "\(text).")
    }
}

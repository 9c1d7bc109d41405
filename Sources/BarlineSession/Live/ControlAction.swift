import BarlineTime
import Foundation

/// Anything that the page or another program can ask of a session that plays: a word of the performance script, an
/// edit, or something about the session's file.
public enum ControlAction: Sendable {
    /// A word of the performance script, and when it takes effect; `nil` for at once.
    case perform(ScriptAction, at: ScriptTime?)
    /// A change of the document.
    case edit(DocumentEdit)
    /// Something else.
    case manage(SessionRequest)
    /// Something that depends on what is now, and when it takes effect; `nil` for at once.
    case relative(RelativeAction, at: ScriptTime?)

    /// Reads an action.
    ///
    /// - Parameters:
    ///   - value: an object with the key `do`.
    ///   - source: what errors call it.
    /// - Throws: ``SessionError``, which names the key that is wrong.
    public init(_ value: JSONValue, source: String) throws(SessionError) {
        var reader = try ObjectReader(value, file: source, path: "")
        let word = try reader.requiredString("do")
        if let request = try SessionRequest(word, &reader) {
            self = .manage(request)
        } else if let edit = try DocumentEdit(word, &reader) {
            self = .edit(edit)
        } else if let action = try RelativeAction(word, &reader) {
            self = .relative(action, at: try ControlAction.time(&reader))
        } else {
            let time = try ControlAction.time(&reader)
            self = .perform(try ScriptAction(&reader), at: time)
        }
    }

    private static func time(_ reader: inout ObjectReader) throws(SessionError) -> ScriptTime? {
        let seconds = try reader.number("at", "seconds from now, of at least 0") { $0 >= 0 && $0 < 1e6 }
        let frame = try reader.integer("frame", atLeast: 0)
        return frame.map { .frame(FrameTime(Int64($0))) } ?? seconds.map(ScriptTime.seconds)
    }

    /// The same to be done at `time` where it is a word of the script.
    func timed(_ time: ScriptTime?) -> ControlAction {
        if case .perform(let action, at: nil) = self { .perform(action, at: time) } else { self }
    }
}

/// What can be asked about a session as a whole.
public enum SessionRequest: Sendable {
    /// Takes the last edit back.
    case undo
    /// Makes it again.
    case redo
    /// Begins an empty session.
    case new(name: String, discard: Bool)
    /// Opens a session of the library.
    case open(name: String, discard: Bool)
    /// Opens the built-in set.
    case openDemo(discard: Bool)
    /// Saves the session where it is.
    case save
    /// Saves it in the library.
    case saveAs(name: String)
    /// Gives a session of the library another name.
    case renameSession(name: String, to: String)
    /// Deletes a session of the library.
    case deleteSession(name: String)
    /// Takes over an autosave.
    case recover
    /// Throws an autosave away.
    case discardRecovery
    /// Puts out the lights that tell of samples over full scale.
    case resetOvers
    /// Begins or ends a recording.
    case record(isOn: Bool, audio: Bool)
    /// Gives the next control that is moved something to do; `nil` for no longer.
    case learn(MIDILesson?)

    init?(_ word: String, _ reader: inout ObjectReader) throws(SessionError) {
        switch word {
        case "undo": self = .undo
        case "redo": self = .redo
        case "new":
            let name = try reader.string("name") ?? "Untitled"
            self = .new(name: name, discard: try reader.bool("discard", default: false))
        case "open":
            let name = try reader.requiredString("name")
            self = .open(name: name, discard: try reader.bool("discard", default: false))
        case "openDemo": self = .openDemo(discard: try reader.bool("discard", default: false))
        case "save": self = .save
        case "saveAs": self = .saveAs(name: try reader.requiredString("name"))
        case "renameSession":
            self = .renameSession(name: try reader.requiredString("name"), to: try reader.requiredString("to"))
        case "deleteSession": self = .deleteSession(name: try reader.requiredString("name"))
        case "recover": self = .recover
        case "discardRecovery": self = .discardRecovery
        case "resetOvers": self = .resetOvers
        case "learn":
            let isOn = try reader.bool("on", default: true)
            self = .learn(isOn ? try MIDILesson(&reader) : nil)
        case "record":
            let audio = try reader.bool("audio", default: true)
            self = .record(isOn: try reader.bool("on", default: true), audio: audio)
        default: return nil
        }
    }
}

/// What a control is to do that was not moved yet.
public struct MIDILesson: Hashable, Sendable {
    /// What is done.
    public let action: JSONValue
    private let key: String?
    private let from: Double
    private let to: Double

    init(_ reader: inout ObjectReader) throws(SessionError) {
        action = reader.value("action") ?? .null
        key = try reader.string("key")
        from = try reader.number("from") ?? 0
        to = try reader.number("to") ?? 1
        // Whether it can be done is told now, not when a control is moved.
        var trial: [String: JSONValue] = [
            "message": "note", "number": 0, "action": action, "from": .number(from), "to": .number(to),
        ]
        if let key { trial["key"] = .string(key) }
        _ = try MIDIDocument.Mapping(ObjectReader(.object(trial), file: reader.file, path: ""))
    }

    /// The mapping for a control.
    package func mapping(_ message: MIDIDocument.Mapping.Message, channel: Int, number: Int) -> MIDIDocument.Mapping {
        MIDIDocument.Mapping(
            message: message, channel: channel, number: number, action: action, key: key, from: from, to: to)
    }
}

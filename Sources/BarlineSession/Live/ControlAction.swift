import BarlineTime
import Foundation

/// Anything that the page or another program can ask of a session that plays: a word of the performance script, an
/// edit, or something about the session's file.
package enum ControlAction: Sendable {
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
    package init(_ value: JSONValue, source: String) throws(SessionError) {
        var reader = try ObjectReader(value, file: source, path: "")
        guard let verb = Verbs.control[try reader.requiredString("do")] else {
            throw reader.unknownAction()
        }
        let action = try verb.read(&reader)
        // What is done at once may have such keys of its own.
        if verb.facts.kind == .performance {
            self = action.timed(try ControlAction.time(&reader))
        } else {
            try reader.refuseTimes()
            self = action
        }
    }

    private static let wait = ValueType.number(
        "seconds from now, of at least 0, or \"nextBar\"", 0...999_999, atMost: "seconds from now, of at most 999999",
        unit: "s")

    private static func time(_ reader: inout ObjectReader) throws(SessionError) -> ScriptTime? {
        try ScriptTime.read(&reader, seconds: wait, frames: .frame())
    }

    /// The same to be done at `time` where it is a word of the script, or becomes one.
    package func timed(_ time: ScriptTime?) -> ControlAction {
        switch self {
        case .perform(let action, at: nil): .perform(action, at: time)
        case .relative(let action, at: nil): .relative(action, at: time)
        default: self
        }
    }
}

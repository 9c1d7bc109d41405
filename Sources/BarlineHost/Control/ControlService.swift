import BarlineSession

/// A service that answers requests in JSON about something besides the session: the outputs of the machine, or the
/// server itself.
package protocol ControlService: Sendable {
    /// A request, as it is read.
    associatedtype Action: Sendable

    /// Its verbs, in the order in which they are listed.
    static var verbs: [Verb<Action>] { get }
    /// Performs a request, and returns its result or `null`; to be called where waiting is no harm.
    ///
    /// - Throws: ``ControlRefusal`` if it can't be done.
    func perform(_ action: Action) throws(ControlRefusal) -> JSONValue
}

extension ControlService {
    /// Reads a request.
    ///
    /// - Returns: `nil` if it is of none of the verbs.
    /// - Throws: ``ControlRefusal`` with the key and what is expected of it.
    package static func action(of value: JSONValue) throws(ControlRefusal) -> Action? {
        guard case .object(let values) = value, case .string(let word)? = values["do"],
            let verb = verbs.first(where: { $0.facts.word == word })
        else { return nil }
        do throws(SessionError) {
            return try verb.read(value, source: "action")
        } catch {
            guard case .value(_, let key, let expected, _) = error else { throw ControlRefusal("\(error)") }
            throw ControlRefusal("action.\(key): expected \(expected)")
        }
    }

    /// Reads a request, and returns what performs it; `nil` if it is of none of the verbs.
    func performer(
        of value: JSONValue
    ) throws(ControlRefusal) -> (@Sendable () -> Result<JSONValue, ControlRefusal>)? {
        guard let action = try Self.action(of: value) else { return nil }
        return { Result { () throws(ControlRefusal) in try perform(action) } }
    }
}

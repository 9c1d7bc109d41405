import BarlineSession

/// Why a request about the machine that a session plays on is refused.
package struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// A refusal.
    package init(_ description: String) { self.description = description }

    /// The same for people who make music: without the keys of an action.
    package var words: String {
        guard let match = description.firstMatch(of: /^action\.\w+: expected (.*)$/) else {
            return SessionError.sentence(description)
        }
        return SessionError.sentence("\(match.1) is needed")
    }
}

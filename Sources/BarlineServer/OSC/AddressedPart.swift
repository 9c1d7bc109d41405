import BarlineSession

/// A part of the session that OSC reaches in ways of its own, beside its verbs.
protocol AddressedPart: SessionPart {
    /// The verbs that may have a name in their address, as `/barline/hit/NAME 0.8` has one: the key of the name, and
    /// that of the value.
    static var named: [String: (name: String, value: String)] { get }

    /// The message of an event; `nil` for what is another part's.
    static func message(of event: [String: JSONValue]) -> OSCMessage?
}

extension SessionParts {
    static let addressed: [any AddressedPart.Type] = all.compactMap { $0 as? any AddressedPart.Type }
}

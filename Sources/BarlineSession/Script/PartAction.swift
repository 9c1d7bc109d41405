/// An action on a part of the session, such as ``ScriptAction/pads(_:)``.
public struct PartAction: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: some Hashable & Sendable) { self.value = value }

    /// What is asked, where it is of that type.
    func of<Action>(_ type: Action.Type) -> Action? { value as? Action }

    /// Whether both are the same action.
    public static func == (one: PartAction, other: PartAction) -> Bool {
        AnyHashable(one.value) == AnyHashable(other.value)
    }

    /// Hashes the action.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}

/// A part that scripts have verbs for.
protocol ScriptedPart: SessionPart {
    /// Its verbs, in the order in which they are listed.
    static var verbs: [Verb<ScriptAction>] { get }
}

extension SessionParts {
    static let scripted: [any ScriptedPart.Type] = all.compactMap { $0 as? any ScriptedPart.Type }
}

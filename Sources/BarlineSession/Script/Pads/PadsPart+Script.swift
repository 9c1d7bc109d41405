extension PadsPart: ScriptedPart {
    static let verbs: [Verb<ScriptAction>] = PadAction.verbs.map { $0.map(ScriptAction.pads) { $0.ofPads } }
}

extension ScriptAction {
    /// An action on the pads.
    public static func pads(_ action: PadAction) -> ScriptAction { .part(PartAction(action)) }

    /// What is done to the pads; `nil` for anything else.
    package var ofPads: PadAction? { if case .part(let action) = self { action.of(PadAction.self) } else { nil } }
}

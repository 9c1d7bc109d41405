import BarlineSession

/// A part of the session that keys play.
protocol MIDINotePart: SessionPart {
    /// What a key asks for that was pressed with a velocity of 0 … 1.
    static func actions(ofNote note: Int, velocity: Double, in document: SessionDocument) -> [ScriptAction]

    /// Whether an action waits for a grid.
    static func waits(_ action: ScriptAction, in document: SessionDocument) -> Bool
}

extension SessionParts {
    static let noted: [any MIDINotePart.Type] = all.compactMap { $0 as? any MIDINotePart.Type }
}

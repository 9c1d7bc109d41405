extension ScriptAction {
    /// Whether it changes the session.
    var isSession: Bool {
        if case .session = self { return true }
        return false
    }

    /// Whether it sets a tempo by its number.
    var isTempo: Bool {
        if case .tempo = self { return true }
        return false
    }

    /// A control that may be moved many times, of which the last counts.
    enum Moved: Hashable {
        case gain(StripName)
        case pan(StripName)
        case send(StripName, String)
        case stems
        case playlist
        case effect(EffectStrip, String, String)
    }

    /// The control that it moves to where it stays until it is moved again.
    var moved: Moved? {
        switch self {
        case .gain(.clip, _): nil
        case .gain(let strip, _): .gain(strip)
        case .pan(let strip, _): .pan(strip)
        case .send(let strip, let output, _, nil): .send(strip, output)
        case .stems(.gain): .stems
        case .playlist(.gain): .playlist
        case .effect(let change) where change.isAtOnce: .effect(change.strip, change.effect, change.name)
        default: nil
        }
    }
}

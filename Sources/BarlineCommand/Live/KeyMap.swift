import BarlineSession

/// The keys of the grid.
enum KeyMap {
    /// The keys of the rows, from the top; a key's place in its row is its track.
    static let rows = ["qwertyui", "asdfghjk", "zxcvbnm,", "12345678"].map(Array.init)

    /// A command of a key.
    enum Command: Hashable {
        case clip(track: Int, slot: Int)
        case scene(Int)
        case stopAll
        case panic
        case nudgeTempo(Double)
        case playStems
        case lockPhase
        case metronome
        case tap
        case songLoop
        case pitch(PitchKeys.Change)
    }

    /// The command of `key`, if it has one.
    static func command(for key: Key) -> Command? {
        switch key {
        case .function(let number): return .scene(number - 1)
        case .character(" "): return .stopAll
        case .character("."): return .panic
        case .character("+"), .character("="): return .nudgeTempo(1)
        case .character("-"): return .nudgeTempo(-1)
        case .character("]"): return .nudgeTempo(0.1)
        case .character("\n"), .character("\r"): return .playStems
        case .up, .down, .left, .right, .escape: return nil
        case .character("["): return .nudgeTempo(-0.1)
        case .character("{"): return .pitch(.transpose(-1))
        case .character("}"): return .pitch(.transpose(1))
        case .character("("): return .pitch(.transpose(-0.1))
        case .character(")"): return .pitch(.transpose(0.1))
        case .character("\\"): return .pitch(.nextMode)
        case .character("l"): return .metronome
        case .character("o"): return .lockPhase
        case .character("p"): return .tap
        case .character(";"): return .songLoop
        case .character(let character):
            for (slot, row) in rows.enumerated() {
                if let track = row.firstIndex(of: character) { return .clip(track: track, slot: slot) }
                if character.isUppercase, row.contains(Character(character.lowercased())) { return .scene(slot) }
            }
            return nil
        }
    }

    /// The keys, in words.
    static func help(hasStems: Bool) -> KeyHelp {
        let stems = [("enter", "stems on and off; a chosen clip launches"), ("tab", "stems' mixer")]
        return KeyHelp(
            [
                ("letters", "launch, or record (○)"), ("shift, F1…", "scene"), ("space", "stop all"), (".", "stop now"),
                ("arrows", "choose"),
            ] + (hasStems ? stems : [("enter", "launches it")]) + [
                ("+ -", "tempo by 1"), ("[ ]", "by 0.1"), ("p", "taps it"), ("l", "click"), ("o", "phase lock (≡)"),
                (";", "song loop"),
            ], saves: true,
            others: [
                ("{ }", "pitch by 1"), ("( )", "by 0.1"), ("\\", "stretch mode"),
            ])
    }

    /// The key of a place in the grid; nothing where the keyboard is too small.
    static func label(track: Int, slot: Int) -> String {
        guard rows.indices.contains(slot), rows[slot].indices.contains(track) else { return " " }
        return String(rows[slot][track])
    }
}

import BarlineEngine

/// Something that a button asks for and that depends on what is now: a switch that is turned over, the next scene.
///
/// It becomes a ``ControlAction`` at the moment it is asked for, and that is what is done, recorded and undone.
public enum RelativeAction: Hashable, Sendable {
    /// Turns a switch over.
    case toggle(Switch)
    /// Launches the scene so many rows after the one that was launched last; a negative number goes back.
    case stepScene(by: Int)

    /// What can be turned over.
    public enum Switch: Hashable, Sendable {
        /// The mute of a track or stem.
        case mute(ScriptAction.Strip)
        /// The solo of a track or stem.
        case solo(ScriptAction.Strip)
        /// The metronome.
        case metronome
        /// The transport: rolling or stopped.
        case transport
        /// The stems: playing or paused.
        case stems
        /// The playlist: playing or paused.
        case playlist
        /// The playlist's random order.
        case shuffle
        /// Whether the playlist ends after each item.
        case single
        /// Whether items leave the playlist when they have been played.
        case consume
        /// Whether the playlist ends after the item that plays.
        case stopAfterCurrent
        /// The recording of script and sound.
        case record
    }
}

extension RelativeAction {
    init?(_ word: String, _ reader: inout ObjectReader) throws(SessionError) {
        switch word {
        case "toggle": self = .toggle(try Switch(&reader))
        case "stepScene":
            let expected = "a number of scenes, from -1000 to 1000 and not 0"
            guard let step = try reader.integer("by", within: -1000...1000), step != 0 else {
                throw reader.error("by", expected: expected)
            }
            self = .stepScene(by: step)
        default: return nil
        }
    }
}

extension RelativeAction.Switch {
    fileprivate init(_ reader: inout ObjectReader) throws(SessionError) {
        switch try reader.string("what") {
        case "mute": self = .mute(try ScriptAction.strip(&reader))
        case "solo": self = .solo(try ScriptAction.strip(&reader))
        case "metronome": self = .metronome
        case "transport": self = .transport
        case "stems": self = .stems
        case "playlist": self = .playlist
        case "shuffle": self = .shuffle
        case "single": self = .single
        case "consume": self = .consume
        case "stopAfterCurrent": self = .stopAfterCurrent
        case "record": self = .record
        default:
            throw reader.error(
                "what",
                expected: "\"mute\", \"solo\", \"metronome\", \"transport\", \"stems\", \"playlist\", \"shuffle\","
                    + " \"single\", \"consume\", \"stopAfterCurrent\" or \"record\"")
        }
    }
}

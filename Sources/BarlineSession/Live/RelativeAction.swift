import BarlineEngine

/// Something that a button asks for and that depends on what is now: a switch that is turned over, the next scene.
///
/// It becomes a ``ControlAction`` at the moment it is asked for, and that is what is done, recorded and undone.
package enum RelativeAction: Hashable, Sendable {
    /// Turns a switch over.
    case toggle(Switch)
    /// Launches the scene so many rows after the one that was launched last; a negative number goes back.
    case stepScene(by: Int)
    /// Presses a foot switch.
    case footSwitch(FootSwitch.Pedal, FootSwitch.Press)
    /// Does something to an item of the playlist, wherever it is.
    case item(String, ItemAction)

    /// A switch that can be toggled.
    package enum Switch: Hashable, Sendable {
        /// The mute of a track or stem.
        case mute(StripName)
        /// The solo of a track or stem.
        case solo(StripName)
        /// The metronome.
        case metronome
        /// The transport: rolling or stopped.
        case transport
        /// The song's loop.
        case loop
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
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<RelativeAction>] = [
        Verb(
            "toggle",
            "Turns over what is on or off: `mute` or `solo` of a track or stem, `metronome`, `transport`, the song's `loop`, `stems`, "
                + "`playlist` (playing or paused), the list's `shuffle`, `single`, `consume` or `stopAfterCurrent`, `record`.",
            osc: [["what", "track"]],
            forms: [
                Form(
                    when: ["what": "mute"], .strip, make: { .toggle(.mute($0)) },
                    match: { if case .toggle(.mute(let strip)) = $0 { strip } else { nil } }),
                Form(
                    when: ["what": "solo"], .strip, make: { .toggle(.solo($0)) },
                    match: { if case .toggle(.solo(let strip)) = $0 { strip } else { nil } }),
                Form(when: ["what": "metronome"], .toggle(.metronome)),
                Form(when: ["what": "transport"], .toggle(.transport)), Form(when: ["what": "loop"], .toggle(.loop)),
                Form(when: ["what": "stems"], .toggle(.stems)), Form(when: ["what": "playlist"], .toggle(.playlist)),
                Form(when: ["what": "shuffle"], .toggle(.shuffle)), Form(when: ["what": "single"], .toggle(.single)),
                Form(when: ["what": "consume"], isPlaying: false, .toggle(.consume)),
                Form(when: ["what": "stopAfterCurrent"], .toggle(.stopAfterCurrent)),
                Form(when: ["what": "record"], isPlaying: false, .toggle(.record)),
            ]),
        Verb(
            "stepScene",
            "Launches the scene so many rows after the one launched last: 1 for the next, −1 for the one before.",
            osc: [["by"]], .required("by", .step), make: RelativeAction.stepScene(by:),
            match: { if case .stepScene(let step) = $0 { step } else { nil } }),
        Verb(
            "footSwitch",
            "One switch for the loops of a track: it records, plays, records over, plays … ; pressed again within 0.4 s it stops the track; "
                + "held for 1 s it undoes the latest layer, or the recording where there is none.",
            osc: [["track", "slot", "press"], ["track", "press"], ["track"]], isPlaying: false, .id("track"),
            .optional(
                "slot", .row,
                "that of what is recorded or plays, else the one pressed last, else the first empty one where missing"),
            .standard(
                "press", ValueType<FootSwitch.Press>.word, .tap, "`down` and `up` for a switch that can be held"),
            .standard("feedback", .feedback, 100, "the level at which the loop goes on in what is recorded over it"),
            make: { track, slot, press, feedback in
                .footSwitch(FootSwitch.Pedal(track: track, slot: slot, feedback: feedback), press)
            },
            match: { action in
                guard case .footSwitch(let pedal, let press) = action else { return nil }
                return (pedal.track, pedal.slot, press, pedal.feedback)
            }),
        ItemAction.verb,
    ]
}

extension ValueType where Value == Int {
    /// A number of rows to move forward or back.
    fileprivate static var step: ValueType {
        let rows = whole(-1000...1000, expected: "a number of scenes, from -1000 to 1000 and not 0")
        return ValueType(
            facts: rows.facts,
            read: { reader, key throws(SessionError) in
                let step = try rows.read(&reader, key)
                if step == 0 { throw reader.error(key, expected: rows.facts.expected) }
                return step
            }, write: rows.write)
    }
}

extension ScriptAction {
    /// The verbs of the song's position.
    static let songVerbs: [Verb<ScriptAction>] = [
        Verb(
            "locate",
            "Moves the song's position to a beat, from 0, or a bar, from 1, of the metre of that moment. Where the transport "
                + "stands, the song begins there from then on. Launches and clips are not touched.",
            osc: [["beat"]],
            forms: [
                Form(
                    presence: "bar", .required("bar", .bar), make: { .locate(.bar($0)) },
                    match: { if case .locate(.bar(let bar)) = $0 { bar } else { nil } }),
                Form(
                    .required("beat", .songBeat), make: { .locate(.beat($0)) },
                    match: { if case .locate(.beat(let beat)) = $0 { beat } else { nil } }),
            ]),
        Verb(
            "loop",
            "Lets the song's position run in a circle: over so many bars, or beats, from one on; `on` by itself turns the loop of "
                + "the last region on or off.",
            osc: [["beat", "beats"], ["on"]], undo: "Change song loop",
            forms: [
                Form(
                    presence: "bar", .required("bar", .bar), .required("bars", .bars), .standard("on", .flag, true),
                    make: { .loop(.bars(first: $0, count: $1), isOn: $2) },
                    match: { action in
                        guard case .loop(.bars(let first, let count), let isOn) = action else { return nil }
                        return (first, count, isOn)
                    }),
                Form(
                    presence: "beat", .required("beat", .songBeat), .required("beats", .beats),
                    .standard("on", .flag, true),
                    make: { .loop(.beats(start: $0, length: $1), isOn: $2) },
                    match: { action in
                        guard case .loop(.beats(let start, let length), let isOn) = action else { return nil }
                        return (start, length, isOn)
                    }),
                Form(
                    .required("on", .flag), make: ScriptAction.looping,
                    match: { if case .looping(let isOn) = $0 { isOn } else { nil } }),
            ]),
    ]
}

/// An action on the stems.
public enum StemsAction: Hashable, Sendable {
    /// Plays from the current position.
    case play
    /// Pauses at the current position.
    case pause
    /// Stops, and returns to the start.
    case stop
    /// Seeks to a position in seconds; with `snap` to the nearest bar line, on a bar line. With `isBarLine` the
    /// position counts as a bar line, whatever the stems' grid.
    case seek(Double, snap: Bool = false, isBarLine: Bool = false)
    /// Seeks to a marker, or with `snap` to the bar line nearest to it.
    case seekMarker(String, snap: Bool = false)
    /// Loops a region, in seconds; with `snap` rounded to whole bars.
    case loop(start: Double, end: Double, snap: Bool = false)
    /// Leaves the loop.
    case endLoop
    /// Sets the fader of all stems in dB.
    case gain(Double)
}

extension StemsAction {
    /// The verb and its forms.
    static let verb = Verb<StemsAction>(
        "stems",
        "Does something to the stems. `stop` pauses them and goes back to their beginning. A seek goes to the nearest "
            + "frame of the output; with `snap`, on the grid, to the nearest bar line, and stems that play go there on the "
            + "next one. A loop with `snap` is the nearest whole bars. `isBarLine` says that a bar line is at `position`: "
            + "so a marker is recorded.",
        osc: [["action", "position"]],
        forms: [
            Form(when: ["action": "play"], .play), Form(when: ["action": "pause"], .pause),
            Form(when: ["action": "stop"], .stop),
            Form(
                when: ["action": "seek"], presence: "marker", .required("marker", .text),
                .standard("snap", .flag, false),
                make: StemsAction.seekMarker(_:snap:),
                match: { if case .seekMarker(let marker, let snap) = $0 { (marker, snap) } else { nil } }),
            Form(
                when: ["action": "seek"], .required("position", .seconds), .standard("snap", .flag, false),
                .standard("isBarLine", .flag, false),
                make: StemsAction.seek(_:snap:isBarLine:),
                match: { if case .seek(let place, let snap, let isLine) = $0 { (place, snap, isLine) } else { nil } }),
            Form(when: ["action": "loop", "on": false], .endLoop),
            Form(
                when: ["action": "loop"], .required("start", .seconds), .loopEnd, .standard("snap", .flag, false),
                .standard("on", .flag, true),
                make: { start, end, snap, _ in .loop(start: start, end: end, snap: snap) },
                match: { if case .loop(let start, let end, let snap) = $0 { (start, end, snap, true) } else { nil } }),
            Form(
                when: ["action": "gain"], .level, make: StemsAction.gain,
                match: { if case .gain(let db) = $0 { db } else { nil } }),
        ])

    /// The shortest loop, in seconds.
    static let shortestLoop = 0.05
}

extension VerbArgument where Value == Double {
    /// The end of a loop, which comes after its start.
    fileprivate static var loopEnd: VerbArgument {
        let end = required("end", .seconds)
        return VerbArgument(
            facts: end.facts,
            read: { reader throws(SessionError) in
                let (seconds, start) = (try end.read(&reader), try ValueType.seconds.read(&reader, "start") ?? 0)
                guard seconds - start >= StemsAction.shortestLoop else {
                    throw reader.error(
                        "end", expected: "seconds of at least \(StemsAction.shortestLoop) after \"start\"")
                }
                return seconds
            }, write: end.write)
    }
}

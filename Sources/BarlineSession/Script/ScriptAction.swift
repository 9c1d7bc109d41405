import BarlineEngine
import BarlineTime

/// An action on a session, in a script or from a remote control.
public enum ScriptAction: Hashable, Sendable {
    /// Presses a clip's launch button.
    case launch(clip: String)
    /// Releases a clip's launch button.
    case release(clip: String)
    /// Launches a row.
    case launchScene(Int)
    /// Stops a track, quantised.
    case stop(track: String)
    /// Stops a track at once.
    case stopNow(track: String)
    /// Stops every track, quantised.
    case stopAll
    /// Changes the tempo, over `ramp` quarter notes.
    case tempo(bpm: Double, ramp: Double)
    /// Changes the metre on the next bar line.
    case timeSignature(TimeSignature)
    /// Changes the launch quantisation.
    case quantization(Quantization)
    /// Moves a fader; in dB, minus infinity is silence.
    case gain(StripName, db: Double)
    /// Moves the balance of a track or stem, −1 … 1.
    case pan(StripName, Double)
    /// Sends a track or stem to another output at a level in dB; `preFader` is `nil` to leave that as it is.
    case send(StripName, output: String, db: Double, preFader: Bool?)
    /// Mutes or unmutes a track or stem.
    case mute(StripName, Bool)
    /// Solos or unsolos a track or stem.
    case solo(StripName, Bool)
    /// An action on the stems.
    case stems(StemsAction)
    /// An action on the playlist.
    case playlist(PlaylistAction)
    /// An action on another part of the session.
    case part(PartAction)
    /// Records something into a slot.
    case record(RecordAction)
    /// An action on the layers of a loop.
    case layer(LayerAction)
    /// Changes an effect.
    case effect(EffectChange)
    /// Starts or stops the transport.
    case transport(isRolling: Bool)
    /// Relocates the song position.
    case locate(SongPlace)
    /// Sets the song loop, on or off.
    case loop(SongLoop.Region, isOn: Bool)
    /// Turns the song loop on or off.
    case looping(Bool)
    /// Changes the metronome.
    case metronome(MetronomeChange)
    /// Changes the start position of a clip, also during playback.
    case startPosition(clip: String, StartPosition)
    /// Taps the tempo.
    case tap
    /// Moves the beats as the output's clock did that jumped by `frames` while it was recorded. Only scripts have it.
    case clockJump(frames: Int)
    /// Makes the session another one: an edit that was made while a performance was recorded. `kept` are the clips that
    /// were recorded meanwhile, or are, which the edit left as they were. Only scripts have it.
    indirect case session(SessionDocument, kept: [String] = [])
    /// Changes the session. Only scripts have it.
    case change(SessionChange)

    /// A position of the song.
    public enum SongPlace: Hashable, Sendable {
        /// A beat, counted from 0.
        case beat(Double)
        /// The line of a bar, counted from 1.
        case bar(Int)
    }
}

// One declaration a verb: what a script, every remote control and the documentation know of it.
extension ScriptAction {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<ScriptAction>] =
        clipVerbs + transportVerbs + songVerbs + mixerVerbs + [
            StemsAction.verb.map(ScriptAction.stems) { if case .stems(let action) = $0 { action } else { nil } },
            EffectChange.verb.map(ScriptAction.effect) { if case .effect(let change) = $0 { change } else { nil } },
            PlaylistAction.verb.map(ScriptAction.playlist) {
                if case .playlist(let action) = $0 { action } else { nil }
            },
        ] + SessionParts.scripted.flatMap { $0.verbs }
        + RecordAction.verbs.map {
            $0.map(ScriptAction.record) { if case .record(let action) = $0 { action } else { nil } }
        }
        + LayerAction.verbs.map {
            $0.map(ScriptAction.layer) { if case .layer(let action) = $0 { action } else { nil } }
        }

    /// The word of an edit within a recording, which nobody can ask for.
    static let edit = Verb(
        "session", "Makes the session another one, as an edit did on that frame.", .required("session", .session),
        .standard("kept", .identifiers, [], "the clips recorded in this take that the edit left as they were"),
        make: ScriptAction.session(_:kept:),
        match: { if case .session(let document, let kept) = $0 { (document, kept) } else { nil } })

    /// The word of a jump of the clock within a recording, which nobody can ask for.
    static let clockJump = Verb(
        "clockJump", "Moves the beats as the output's clock did, which jumped on that frame.",
        .required(
            "frames",
            .whole(
                Int(Engine.Transport.jumpRange.lowerBound)...Int(Engine.Transport.jumpRange.upperBound),
                expected: "a whole number of frames")),
        make: ScriptAction.clockJump(frames:), match: { if case .clockJump(let frames) = $0 { frames } else { nil } })

    /// The words that only scripts have, by which what happened is done again.
    static let recorded = [edit, clockJump]

    private static let clipVerbs: [Verb<ScriptAction>] = [
        Verb(
            "launch", "Presses a clip's launch button.", osc: [["clip"]], .id("clip"), make: ScriptAction.launch(clip:),
            match: { if case .launch(let clip) = $0 { clip } else { nil } }),
        Verb(
            "release", "Releases a clip's launch button.", osc: [["clip"]], .id("clip"),
            make: ScriptAction.release(clip:), match: { if case .release(let clip) = $0 { clip } else { nil } }),
        Verb(
            "launchScene", "Launches a row: its clips start together, and tracks that have none in it stop.",
            osc: [["scene"]], .required("scene", .row, "from 0", missing: "the number of a scene, from 0"),
            make: ScriptAction.launchScene, match: { if case .launchScene(let row) = $0 { row } else { nil } }),
        Verb(
            "stop", "Stops a track on the grid.", osc: [["track"]], .id("track"), make: ScriptAction.stop(track:),
            match: { if case .stop(let track) = $0 { track } else { nil } }),
        Verb(
            "stopNow", "Stops a track at once.", osc: [["track"]], .id("track"), make: ScriptAction.stopNow(track:),
            match: { if case .stopNow(let track) = $0 { track } else { nil } }),
        Verb("stopAll", "Stops every track on the grid.", osc: [[]], .stopAll),
        Verb(
            "startPosition",
            "Makes a clip start elsewhere; where it plays, it crossfades to the position that it would have: `synced` "
                + "counts from the grid's origin, `fromStart` from the boundary on which the clip was launched.",
            osc: [["clip", "value"]], undo: "Change clip", .id("clip"),
            .required("value", ValueType<StartPosition>.word, missing: "a text"),
            make: ScriptAction.startPosition(clip:_:),
            match: { if case .startPosition(let clip, let value) = $0 { (clip, value) } else { nil } }),
    ]

    private static let transportVerbs: [Verb<ScriptAction>] = [
        Verb(
            "tempo", "Changes the tempo, over `ramp` beats; 20 … 999 are played.", osc: [["bpm", "ramp"]],
            undo: "Change tempo", .required("bpm", .tempo),
            .standard("ramp", .ramp, 0),
            make: ScriptAction.tempo(bpm:ramp:),
            match: { if case .tempo(let bpm, let ramp) = $0 { (bpm, ramp) } else { nil } }),
        Verb(
            "timeSignature", "Changes the metre on the next bar line.", osc: [["value"]], undo: "Change metre",
            .required("value", .metre), make: ScriptAction.timeSignature,
            match: { if case .timeSignature(let value) = $0 { value } else { nil } }),
        Verb(
            "quantization", "Changes the grid for clips that have none of their own.", osc: [["value"]],
            undo: "Change quantisation", .required("value", .grid, missing: "a quantisation like \"1 bar\""),
            make: ScriptAction.quantization, match: { if case .quantization(let value) = $0 { value } else { nil } }),
        Verb(
            "transport", "Rolls or stops the transport.", osc: [["action"]],
            forms: [
                Form(when: ["action": "play"], .transport(isRolling: true)),
                Form(when: ["action": "stop"], .transport(isRolling: false)),
            ]),
        Verb(
            "metronome", "Changes what it names of the metronome, and leaves the rest.", osc: [["on"]],
            undo: "Change metronome", forms: [MetronomeChange.form]),
        Verb(
            "tap", "Taps the tempo: from the second tap on it is that of the last eight; a pause of 3 s begins anew.",
            osc: [[]], .tap),
    ]

    private static let mixerVerbs: [Verb<ScriptAction>] = [
        Verb(
            "gain",
            "Moves the fader of a track, a clip or a stem, or the master's where none is named. A clip's is the performance's: it "
                + "lasts until its next launch.",
            osc: [["track", "db"], ["db"]], undo: "Move fader", .level, .anyStrip,
            make: { db, strip in .gain(strip, db: db) },
            match: { if case .gain(let strip, let db) = $0 { (db, strip) } else { nil } }),
        Verb(
            "pan", "Moves the balance of a track or stem.", osc: [["track", "value"]], undo: "Move pan",
            .required("value", .pan), .strip, make: { value, strip in .pan(strip, value) },
            match: { if case .pan(let strip, let value) = $0 { (value, strip) } else { nil } }),
        Verb(
            "send", "Sends a track or stem to another output too, at a level of its own.",
            osc: [["track", "output", "db", "preFader"]], undo: "Move send", .level, .strip,
            .id("output", "the name of an output that there is"),
            .optional("preFader", .onOff, "before its fader and pan, or after them; as it was where missing"),
            make: { db, strip, output, isPreFader in .send(strip, output: output, db: db, preFader: isPreFader) },
            match: { action in
                guard case .send(let strip, let output, let db, let isPreFader) = action else { return nil }
                return (db, strip, output, isPreFader)
            }),
        Verb(
            "mute", "Mutes a track or stem, or lets it sound.", osc: [["track", "on"]], undo: "Mute", .strip,
            .required("on", .onOff), make: ScriptAction.mute,
            match: { if case .mute(let strip, let isOn) = $0 { (strip, isOn) } else { nil } }),
        Verb(
            "solo", "Solos a track or stem, which silences all others of both, or not.", osc: [["track", "on"]],
            undo: "Solo", .strip, .required("on", .onOff), make: ScriptAction.solo,
            match: { if case .solo(let strip, let isOn) = $0 { (strip, isOn) } else { nil } }),
    ]
}

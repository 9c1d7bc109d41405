import BarlineEngine

/// An action on the playlist.
public enum PlaylistAction: Hashable, Sendable {
    /// Plays from the current position.
    case play
    /// Plays an item from its beginning.
    case playIndex(Int)
    /// Pauses at the current position.
    case pause
    /// Stops, and returns to the start of the current item.
    case stop
    /// Skips to the next item.
    case next
    /// Skips to the previous item.
    case previous
    /// Seeks to a position of the current item, in seconds.
    case seek(Double)
    /// Inserts an item; without an identifier it gets one.
    case insert(index: Int, file: String, id: String?, title: String?)
    /// Removes an item.
    case remove(Int)
    /// Moves an item.
    case move(from: Int, to: Int)
    /// Replaces an item.
    case replace(index: Int, file: String, id: String?, title: String?)
    /// Transposes an item by semitones; without an index the current one.
    case transpose(index: Int?, semitones: Double)
    /// Sets the speed of an item; without an index of the current one.
    case speed(index: Int?, value: Double)
    /// Moves the formants of an item by semitones, `nil` to have them follow its pitch; without an index of the current
    /// one.
    case formants(index: Int?, semitones: Double?)
    /// Changes how the item of this identifier is played, wherever it is by then; nothing where it is gone.
    case change(id: String, PlaylistItemChange)
    /// Clears the list.
    case clear
    /// Sets what is repeated.
    case `repeat`(PlaylistModes.Repeat)
    /// Sets random order, which is determined by the seed.
    case shuffle(Bool, seed: UInt64?)
    /// Sets whether playback ends after each item.
    case single(Bool)
    /// Sets whether items are removed once played.
    case consume(Bool)
    /// Sets whether playback ends after the current item.
    case stopAfterCurrent(Bool)
    /// Sets the length of crossfades in seconds.
    case crossfade(Double)
    /// Sets the playlist's fader in dB.
    case gain(Double)
}

extension PlaylistAction {
    /// The longest crossfade, in seconds.
    package static let longestCrossfade = PlaylistSettings.longestCrossfade

    /// The verb and its forms.
    static let verb = Verb<PlaylistAction>(
        "playlist",
        "Does something to the playlist. An edit never touches what sounds, unless that is what it removes or replaces. An "
            + "item's `id` is in the list once: another one of that name is refused.",
        osc: [["action", "position"], ["action", "semitones"], ["action", "value"], ["action"]], undo: nil,
        forms: transport + editing + changes + stretching + modes)

    private static let transport: [Form<PlaylistAction>] = [
        Form(
            when: ["action": "play"], presence: "index", .place("index"), make: PlaylistAction.playIndex,
            match: { if case .playIndex(let index) = $0 { index } else { nil } }),
        Form(when: ["action": "play"], .play), Form(when: ["action": "pause"], .pause),
        Form(when: ["action": "resume"], make: { .play }), Form(when: ["action": "stop"], .stop),
        Form(when: ["action": "next"], .next), Form(when: ["action": "previous"], .previous),
        Form(
            when: ["action": "seek"], .required("position", .seconds), make: PlaylistAction.seek,
            match: { if case .seek(let seconds) = $0 { seconds } else { nil } }),
    ]

    private static let editing: [Form<PlaylistAction>] = [
        Form(
            when: ["action": "insert"], undo: "Add to playlist", isPlaying: false, .place("index"), .id("file"),
            .optional("id", .text),
            .optional("title", .text), make: PlaylistAction.insert(index:file:id:title:),
            match: { action in
                guard case .insert(let index, let file, let id, let title) = action else { return nil }
                return (index, file, id, title)
            }),
        Form(
            when: ["action": "remove"], undo: "Remove from playlist", isPlaying: false, .place("index"),
            make: PlaylistAction.remove,
            match: { if case .remove(let index) = $0 { index } else { nil } }),
        Form(
            when: ["action": "move"], undo: "Move in playlist", isPlaying: false, .place("from"), .place("to"),
            make: PlaylistAction.move(from:to:),
            match: { if case .move(let from, let target) = $0 { (from, target) } else { nil } }),
        Form(
            when: ["action": "replace"], undo: "Change playlist", isPlaying: false, .place("index"), .id("file"),
            .optional("id", .text),
            .optional("title", .text), make: PlaylistAction.replace(index:file:id:title:),
            match: { action in
                guard case .replace(let index, let file, let id, let title) = action else { return nil }
                return (index, file, id, title)
            }),
        Form(when: ["action": "clear"], undo: "Empty playlist", isPlaying: false, .clear),
    ]

    // Of an item by its identifier, as recordings have it: the list may be another one by then.
    private static let changes = PlaylistItemChange.forms(
        presence: "id", make: PlaylistAction.change(id:_:),
        match: { if case .change(let id, let change) = $0 { (id, change) } else { nil } })

    private static let stretching: [Form<PlaylistAction>] = [
        Form(
            when: ["action": "transpose"], undo: "Transpose item", isPlaying: false,
            .optional("index", .place, "the current item's"), .required("semitones", .semitones, "decimals are cents"),
            make: PlaylistAction.transpose(index:semitones:),
            match: { if case .transpose(let index, let semitones) = $0 { (index, semitones) } else { nil } }),
        Form(
            when: ["action": "formants"], undo: "Move formants of item", isPlaying: false,
            .optional("index", .place, "the current item's"),
            .optional(
                "semitones", .semitones, "0 leaves a voice the same person's; where missing they follow the pitch"),
            make: PlaylistAction.formants(index:semitones:),
            match: { if case .formants(let index, let semitones) = $0 { (index, semitones) } else { nil } }),
        Form(
            when: ["action": "speed"], undo: "Change speed of item", isPlaying: false,
            .optional("index", .place, "the current item's"), .required("value", .speed, "its pitch is kept"),
            make: PlaylistAction.speed(index:value:),
            match: { if case .speed(let index, let value) = $0 { (index, value) } else { nil } }),
    ]

    private static let modes: [Form<PlaylistAction>] = [
        Form(
            when: ["action": "repeat"], undo: "Change repetition",
            .standard("value", ValueType<PlaylistModes.Repeat>.word, .all, isAlwaysWritten: true),
            make: PlaylistAction.repeat, match: { if case .repeat(let value) = $0 { value } else { nil } }),
        Form(
            when: ["action": "shuffle"], undo: "Change shuffle", .on,
            .optional("seed", .seed, "from which the order follows"),
            make: PlaylistAction.shuffle(_:seed:),
            match: { if case .shuffle(let isOn, let seed) = $0 { (isOn, seed) } else { nil } }),
        Form(
            when: ["action": "single"], undo: "Change playlist", .on, make: PlaylistAction.single,
            match: { if case .single(let isOn) = $0 { isOn } else { nil } }),
        Form(
            when: ["action": "consume"], undo: "Change playlist", isPlaying: false, .on, make: PlaylistAction.consume,
            match: { if case .consume(let isOn) = $0 { isOn } else { nil } }),
        Form(
            when: ["action": "stopAfterCurrent"], undo: "Change playlist", .on, make: PlaylistAction.stopAfterCurrent,
            match: { if case .stopAfterCurrent(let isOn) = $0 { isOn } else { nil } }),
        Form(
            when: ["action": "crossfade"], undo: "Change crossfade", .required("seconds", .crossfade),
            make: PlaylistAction.crossfade, match: { if case .crossfade(let seconds) = $0 { seconds } else { nil } }),
        Form(
            when: ["action": "gain"], undo: "Move fader of playlist", .level, make: PlaylistAction.gain,
            match: { if case .gain(let db) = $0 { db } else { nil } }),
    ]

    /// The keys of the action's JSON object.
    var json: [String: JSONValue] { PlaylistAction.verb.write(self) ?? [:] }
}

extension VerbArgument where Value == Int {
    /// A place in the list.
    fileprivate static func place(_ key: String) -> VerbArgument {
        required(key, .place, missing: "a place in the list, from 0")
    }
}

extension VerbArgument where Value == Bool {
    /// Whether a mode is on.
    fileprivate static var on: VerbArgument { standard("on", .flag, true, isAlwaysWritten: true) }
}

extension ValueType where Value == UInt64 {
    /// What a random order follows from.
    fileprivate static var seed: ValueType {
        ValueType<Int>.whole(atLeast: 0, atMost: 1 << 53 - 1).map({ UInt64($0) }, { Int($0) })
    }
}

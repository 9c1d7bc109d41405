import BarlineDSP
import BarlineEngine
import BarlineTime

extension SessionDocument: KeyedDocument {
    static var standard: SessionDocument { SessionDocument() }

    static let keys: [DocumentKey<SessionDocument>] =
        settings + [
            .group("master", .master, rest: \.masterRest, masterKeys),
            .list("tracks", \.tracks, .track), .list("scenes", \.scenes, .scene), .list("stems", \.stems, .stem),
            .part("stemSet", \.stemSet, .stemSet, as: .missing), .list("markers", \.markers, .marker, as: .missing),
            .list("playlist", \.playlist, .playlistItem),
            .part("playlistSettings", \.playlistSettings, .playlistSettings, as: .missing),
            .part("metronome", \.metronome, .metronome),
            .list("inputs", \.inputs, .input, as: .missing),
        ] + SessionParts.all.flatMap { $0.keys } + [.part("songLoop", \.songLoop, .songLoop, as: .missing)]

    private static let settings: [DocumentKey<SessionDocument>] = [
        .standard("name", \.name, .text),
        .standard("tempo", \.tempo, .tempo, "20 … 999 are played"),
        .standard("timeSignature", \.timeSignature, .metre),
        .standard(
            "launchQuantization", \.launchQuantization, .grid,
            "among them `1/32` … `1/2` (`t` triplet, `.` dotted), `1 bar`, `2 bars`, `4 bars`"),
        .standard(
            "firstLaunch", \.firstLaunch, ValueType<FirstLaunch>.word,
            "where the transport stands when a launch sets it rolling"),
        .standard(
            "snapTolerance", \.snapTolerance, .number("a number from 0 to 0.5", 0...0.5),
            "how much of a period past a boundary a launch still counts as on it"),
        .standard(
            "resyncThreshold", \.resyncThreshold,
            .number(
                "milliseconds of at least 0", 0...3_600_000, atMost: "milliseconds of at most 3600000", unit: "ms"),
            "how far the output's clock may be from what was played before the timeline moves there"),
        .standard(
            "tempoFromFirstLoop", \.tempoFromFirstLoop, .flag,
            "whether the first loop that is recorded, where no track has clips and the transport stands, says the tempo"
        ),
        .standard(
            "importLoudness", \.importLoudness, ValueType<ImportLoudness>.word,
            "which clips are matched in loudness when they are imported: none, those louder than the set, or all"),
    ]

    static let masterKeys: [DocumentKey<SessionDocument>] = [
        .standard("gain", \.masterGain, .gain),
        .standard(
            "limiter", \.limiter.isOn, .flag,
            "holds peaks down on every output that leaves for a device or an integer file"),
        .standard("ceiling", \.limiter.ceiling, .ceiling, "the true peak that nothing exceeds then"),
        .list("effects", \.masterEffects, .effect, as: .missing),
    ]
}

extension ValueType where Value == Decibels {
    /// The true peak that a limiter holds.
    fileprivate static var ceiling: ValueType {
        let range = LimiterSettings.ceilingRange
        let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        return ValueType<Double>.number("a true peak from \(low) to \(high) dB", range, unit: "dBTP")
            .map({ Decibels($0) }, \.rawValue)
    }
}

extension TrackDocument: KeyedDocument {
    static var standard: TrackDocument { TrackDocument(id: "", name: "") }

    static let keys: [DocumentKey<TrackDocument>] = [
        .required("id", \.id, .words, "what scripts call it"),
        .standard("name", \.name, .text, "", otherwise: { $0.id }, words: "its `id`"),
        .standard("gain", \.gain, .gain), .standard("pan", \.pan, .pan), .standard("mute", \.mute, .flag),
        .standard("solo", \.solo, .flag),
        .standard("output", \.output, .text, "any other name makes another output pair"),
        .list("sends", \.sends, .send, as: .missing),
        .optional(
            "input", \.input, .words, "the `name` of the input that is recorded into its slots, and heard on it",
            as: .missing),
        .optional(
            "color", \.color, .colour, "that of its first clip which has one, else one of its place", as: .missing),
        .list("effects", \.effects, .effect, as: .missing),
        .list("clips", \.clips, .clip, adapt: { $0.slot = $1 }),
    ]
}

extension ClipDocument: KeyedDocument {
    static var standard: ClipDocument { ClipDocument(id: "", name: "", file: "", slot: 0) }

    init(_ source: ObjectReader, defaultSlot: Int) throws(SessionError) {
        self = ClipDocument.standard
        slot = defaultSlot
        try read(source)
    }

    static let keys: [DocumentKey<ClipDocument>] = [
        .required("id", \.id, .words, "what scripts call it"),
        .standard("name", \.name, .text, "", otherwise: { $0.id }, words: "its `id`"),
        .required("file", \.file, .words),
        .standard("slot", \.slot, .row, "the row", words: "its place in the list"),
        .optional("bpm", \.bpm, .tempo, "its tempo, where it is known"),
        .optional("beats", \.beats, .beats, "its length, where it is known; goes before `bpm`"),
        .optional(
            "firstBeat", \.firstBeat, .frame(),
            "the frame of the source that falls on the boundary of a launch, counted around the loop; `null`: where it is "
                + "heard together with the tempo, else `start`"),
        .standard("start", \.start, .frame(), "of the source"),
        .optional(
            "end", \.end, .frame(atLeast: 1), "after the last one of the source; `null` is its end",
            given: { .frame(atLeast: $0.start + 1) }),
        .standard("gain", \.gain, .gain), .standard("loop", \.loop, .flag),
        .standard(
            "playback", \.playback, ValueType<Playback>.word,
            "`stretch` keeps its pitch, `original` is its own rate, not in sync: [Pitch and tempo](#pitch-and-tempo)"),
        .standard(
            "transpose", \.transpose, .semitones, "decimals are cents; heard with `stretch`", as: .missing),
        .optional(
            "stretchMode", \.stretchMode, ValueType<StretchMode>.word,
            "`beats` for drums, `tonal` for what has no attacks, `complex` for everything; `null`: what suits what is heard",
            as: .missing),
        .optional(
            "onsets", \.onsets, .frames, "of the source at which attacks begin; `null`: those that are heard",
            as: .missing),
        .optional(
            "warp", \.warp, .markers,
            "which frames of the source are on which beats: [Beats as they were played](#beats-as-they-were-played)",
            as: .missing),
        .standard("launchMode", \.launchMode, ValueType<LaunchMode>.word),
        .standard("startPosition", \.startPosition, ValueType<StartPosition>.word),
        .optional("quantization", \.quantization, .grid, "`null` is the session's"),
        .optional("fadeIn", \.fadeIn, .fade, "[Starts and stops](#starts-and-stops)"),
        .optional("fadeOut", \.fadeOut, .fade, "[Starts and stops](#starts-and-stops)"),
        .optional("color", \.color, .colour, "that of its track"),
        .optional(
            "latency", \.latency, .recordedLatency,
            "what was taken off when it was recorded; `correction` of it was measured: [Latency](#latency)",
            as: .missing),
        .list("layers", \.layers, .layer, as: .missing), .list("undoneLayers", \.undoneLayers, .layer, as: .missing),
    ]
}

extension SceneDocument: KeyedDocument {
    static var standard: SceneDocument { SceneDocument(name: "") }

    static let keys: [DocumentKey<SceneDocument>] = [
        .standard(
            "name", \.name, .text, "what is shown; without one a row is called by its number, from 1"),
        .optional(
            "tempo", \.tempo, .tempo,
            "20 … 999 are played: the session's tempo from the boundary on which the row starts; `null` leaves it alone"
        ),
    ]
}

extension ValueType where Value == String {
    /// A colour.
    static var colour: ValueType {
        var type = text
        type.facts.examples = ["#d97706"]
        return type
    }
}

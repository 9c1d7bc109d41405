import BarlineDSP
import BarlineEngine
import BarlineTime

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
        .standard(
            "stretchKeep", \.stretchKeep, .keptShare,
            "of the way to the next attack for which `beats` leaves each attack as it is; `100`: what is left is silent",
            as: .missing),
        .optional(
            "stretchDecay", \.stretchDecay, .sliceDecay,
            "in which each attack dies away by 60 dB with `beats`; `null`: as it does by itself", as: .missing),
        .standard(
            "stretchCut", \.stretchCut, .cutRise,
            "by which it must rise within 10 ms of an attack to cut off what sounds before; where it rises less, only "
                + "what rises begins anew", as: .missing),
        .standard(
            "stretchGrain", \.stretchGrain, ValueType<GrainLength>.word,
            "85, 43 or 21 ms: `long` keeps tones apart, `short` what follows quickly", as: .missing),
        .optional(
            "formants", \.formants, .semitones,
            "by which its formants are moved: `0` for a voice that stays itself; `null`: they follow the pitch",
            as: .missing),
        .optional(
            "onsets", \.onsets, .frames, "of the source at which attacks begin; `null`: those that are heard",
            as: .missing),
        .warp,
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
        .optional("pass", \.pass, .layerPass, LayerDocument.passWords, as: .missing),
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

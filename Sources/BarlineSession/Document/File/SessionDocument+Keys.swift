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

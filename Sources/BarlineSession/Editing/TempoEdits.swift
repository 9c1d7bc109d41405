import BarlineAnalysis
import BarlineEngine
import BarlineTime

/// Corrections of a clip's tempo.
enum TempoEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        Verb(
            "correctTempo",
            "Corrects a clip's tempo: `by` doubles, halves … it, or goes `detected`, back to what is heard; `beats`, `bpm` or "
                + "`taps` (seconds) say it, `shift` (frames) and `downbeat` (beats) move the first beat. With `bpm` and `taps` a "
                + "loop takes the nearest tempo at which it is whole beats long, unless `exact`; the `result` says which "
                + "(`beats`, `bpm`). A loop that is cut off the beat keeps its `firstBeat`, which `shift` and `downbeat` move.",
            kind: .edit, osc: [["clip", "by"]], .id("clip"), .correction, .standard("exact", .flag, false), make: edit
        ).scripted,
        Verb(
            "tempoFromClip",
            "Makes the session's tempo that at which a clip plays as fast as it was recorded, where it has so many beats; the `result` says which "
                + "(`beats`, `bpm`).",
            kind: .edit, .id("clip"), .optional("beats", .beats, "those that it has where missing"), make: tempo),
    ]

    @Sendable private static func tempo(_ id: String, _ beats: Double?) -> DocumentEdit {
        DocumentEdit("Tempo from clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            var clip = document.tracks[place.track].clips[place.clip]
            guard let binding = context.clips[id], let tempo = binding.tempo, let old = binding.beats else {
                throw context.error("clip", expected: "a clip whose tempo is known", found: "\"\(id)\"")
            }
            let layers = clip.layers.count + clip.undoneLayers.count
            guard beats == nil || layers == 0 else {
                throw context.error("clip", expected: "a clip without layers", found: "\(layers) of them")
            }
            let seconds = Tempo.seconds(of: old, at: tempo)
            let new = beats ?? old
            guard let played = Tempo(Tempo.beatsPerMinute(of: new, in: seconds)) else {
                throw context.error("beats", expected: "beats that make a tempo of 20 to 999 BPM", found: "\(new)")
            }
            if beats != nil {
                clip.setBeats(new)
                clip.scaleWarp(from: old, to: new, .beats(new))
            }
            document.tracks[place.track].clips[place.clip] = clip
            document.tempo = played.beatsPerMinute
            return ["clip": .string(id), "beats": .number(new), "bpm": .number(played.beatsPerMinute)]
        }
    }

    @Sendable private static func edit(_ id: String, _ correction: TempoCorrection, isExact: Bool) -> DocumentEdit {
        let listensTo = correction.isOfTempo && !isExact ? id : nil
        return DocumentEdit("Correct tempo", listensTo: listensTo) { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            var clip = document.tracks[place.track].clips[place.clip]
            guard let binding = context.clips[id], let audio = binding.audio else {
                throw context.error("clip", expected: "a clip that could be loaded", found: "\"\(id)\"")
            }
            let region = clip.start..<(clip.end ?? audio.samples.frameCount)
            let seconds = Double(region.count) / audio.samples.sampleRate.hertz
            let sound = LoopLength(
                seconds: seconds, isWanted: clip.loop && !isExact,
                detected: context.estimate?.loopBeats
                    ?? (region.count == audio.samples.frameCount ? audio.loopBeats : nil))
            // What is heard of the first beat is no longer asked for once there is a tempo.
            clip.firstBeat = binding.firstBeat
            try correction.apply(
                to: &clip, beats: binding.beats ?? binding.tempo.map { Tempo.beats(in: seconds, at: $0) },
                frames: audio.samples.frameCount, sound, context)
            let beats = clip.beats ?? Tempo.beats(in: seconds, at: clip.bpm ?? 0)
            clip.scaleWarp(from: binding.beats, to: beats, correction)
            try clip.check(audio.samples.frameCount, key: "clip", context)
            try context.check(lengthOf: clip, seconds: seconds, key: clip.beats == nil ? "bpm" : "beats")
            document.tracks[place.track].clips[place.clip] = clip
            guard correction.isOfTempo else { return [:] }
            return [
                "clip": .string(id), "beats": .number(beats),
                "bpm": .number(Tempo.beatsPerMinute(of: beats, in: seconds)),
            ]
        }
    }
}

/// A correction of a clip's tempo.
enum TempoCorrection: Sendable {
    case ratio(Double)
    case detected
    case beats(Double)
    case bpm(Double)
    case taps([Double])
    case shift(Int)
    case downbeat(Double)

    /// Whether it says a tempo, which a loop's length may have to say more exactly.
    var isOfTempo: Bool {
        switch self {
        case .bpm, .taps: true
        case .ratio, .detected, .beats, .shift, .downbeat: false
        }
    }

    // `beats` is the length of the clip's region as it is played now, `frames` are the whole file's.
    func apply(
        to clip: inout ClipDocument, beats: Double?, frames: Int, _ sound: LoopLength, _ context: EditContext
    ) throws(SessionError) {
        func known() throws(SessionError) -> Double {
            guard let beats else {
                throw context.error("clip", expected: "a clip whose tempo is known", found: "\"\(clip.id)\"")
            }
            return beats
        }
        switch self {
        case .ratio(let ratio): clip.setBeats(try known() * ratio)
        case .detected: (clip.beats, clip.bpm, clip.firstBeat) = (nil, nil, nil)
        case .beats(let count): clip.setBeats(count)
        case .bpm(let tempo): clip.setTempo(tempo, sound)
        case .taps(let times):
            guard let tempo = TempoEstimate.tempo(ofTaps: times) else {
                throw context.error("taps", expected: "two or more times in seconds", found: "\(times.count)")
            }
            clip.setTempo(tempo, sound)
        case .shift(let count): try clip.moveStart(by: count, beats: beats, frames: frames, context)
        case .downbeat(let count):
            let length = (clip.end ?? frames) - clip.start
            let offset = (Double(length) / (try known()) * count).rounded()
            try clip.moveStart(by: Int(offset), beats: beats, frames: frames, context)
        }
    }
}

extension VerbArgument where Value == TempoCorrection {
    private static let ratios = ["double": 2, "halve": 0.5, "threeHalves": 1.5, "twoThirds": 2.0 / 3]
    private static let words = ["double", "halve", "threeHalves", "twoThirds", "detected"]
    private static let shift = ValueType<Int>.whole(
        -NumberBounds.frame...NumberBounds.frame, expected: "a whole number of frames",
        atMost: "a whole number of frames of at most \(NumberBounds.frame)", unit: "frames")

    /// One of the ways in which a tempo is corrected.
    fileprivate static var correction: VerbArgument {
        var by = ValueFacts(
            .text,
            expected: "\"double\", \"halve\", \"threeHalves\", \"twoThirds\" or \"detected\", or"
                + " \"beats\", \"bpm\", \"taps\", \"shift\" or \"downbeat\"")
        by.words = words
        let refusal = by.expected
        var taps = ValueFacts(.list, expected: "a list of times in seconds")
        taps.examples = [[0, 0.5, 1]]
        let types = [
            ("by", by), ("beats", ValueType<Double>.beats.facts), ("bpm", ValueType<Double>.tempo.facts),
            ("taps", taps),
            ("shift", shift.facts), ("downbeat", ValueType.clipBeat.facts),
        ]
        return VerbArgument(
            facts: types.map { key, value in
                var facts = ArgumentFacts(key: key, value: value, isRequired: true)
                facts.group = types.map(\.0)
                return facts
            },
            read: { reader throws(SessionError) in try read(&reader, refusal) }, write: write)
    }

    private static func read(_ reader: inout ObjectReader, _ expected: String) throws(SessionError) -> TempoCorrection {
        if let beats = try ValueType.beats.read(&reader, "beats") { return .beats(beats) }
        if let bpm = try ValueType.tempo.read(&reader, "bpm") { return .bpm(bpm) }
        if let frames = try shift.read(&reader, "shift") { return .shift(frames) }
        if let beats = try ValueType.clipBeat.read(&reader, "downbeat") { return .downbeat(beats) }
        if case .array(let values)? = reader.value("taps") {
            return .taps(values.compactMap { if case .number(let time) = $0 { time } else { nil } })
        }
        let word = try reader.string("by")
        if word == "detected" { return .detected }
        guard let ratio = word.flatMap({ ratios[$0] }) else { throw reader.error("by", expected: expected) }
        return .ratio(ratio)
    }

    @Sendable private static func write(_ correction: TempoCorrection, _ values: inout [String: JSONValue]) {
        switch correction {
        case .ratio(let ratio): values["by"] = ratios.first { $0.value == ratio }.map { .string($0.key) }
        case .detected: values["by"] = "detected"
        case .beats(let beats): values["beats"] = .number(beats)
        case .bpm(let bpm): values["bpm"] = .number(bpm)
        case .taps(let times): values["taps"] = .array(times.map(JSONValue.number))
        case .shift(let frames): values["shift"] = .number(Double(frames))
        case .downbeat(let beats): values["downbeat"] = .number(beats)
        }
    }
}

extension ClipDocument {
    fileprivate mutating func setBeats(_ count: Double) { (beats, bpm) = (count, nil) }

    fileprivate mutating func setTempo(_ tempo: Double, _ sound: LoopLength) {
        beats = sound.beats(at: tempo)
        bpm = beats == nil ? tempo : nil
    }

    /// Has the warp markers go with a tempo that was corrected from `old` quarter notes to `new`.
    fileprivate mutating func scaleWarp(from old: Double?, to new: Double, _ correction: TempoCorrection) {
        guard let markers = warp, let old else { return }
        switch correction {
        case .detected: warp = nil
        case .shift, .downbeat: break
        case .ratio, .beats, .bpm, .taps:
            warp = markers.map { WarpMarker(frame: $0.frame, beat: $0.beat * new / old) }
            (beats, bpm) = (nil, nil)
        }
    }

    /// Moves the downbeat: the first beat around the loop where it has one of its own, else the first frame. The last
    /// one moves with that where the file continues; where it does not, the clip becomes so many beats shorter.
    fileprivate mutating func moveStart(
        by offset: Int, beats: Double?, frames: Int, _ context: EditContext
    ) throws(SessionError) {
        let region = start..<(end ?? frames)
        if let firstBeat {
            self.firstBeat = region.wrapping(firstBeat + offset)
            return
        }
        let first = region.lowerBound + offset
        guard first >= 0, first < region.upperBound else {
            throw context.error(
                "downbeat", expected: "a place from frame 0 to \(region.upperBound - 1)", found: "frame \(first)")
        }
        start = first
        if end != nil, region.upperBound + offset <= frames {
            end = region.upperBound + offset
        } else if let beats {
            setBeats(beats * Double(region.upperBound - first) / Double(region.count))
        }
    }
}

import BarlineAnalysis

extension DocumentEdit {
    /// Corrections of a clip's tempo.
    static func ofTempo(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        guard word == "correctTempo" else { return nil }
        let id = try reader.requiredString("clip")
        let correction = try Correction(&reader)
        let isExact = try reader.bool("exact", default: false)
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
                heard: context.heard?.loopBeats ?? (region.count == audio.samples.frameCount ? audio.loopBeats : nil))
            // What is heard of the first beat is no longer asked for once there is a tempo.
            clip.firstBeat = binding.firstBeat
            try correction.apply(
                to: &clip, beats: binding.beats ?? binding.tempo.map { $0 * seconds / 60 },
                frames: audio.samples.frameCount, sound, context)
            try context.check(lengthOf: clip, seconds: seconds, key: clip.beats == nil ? "bpm" : "beats")
            document.tracks[place.track].clips[place.clip] = clip
            guard correction.isOfTempo else { return [:] }
            let beats = clip.beats ?? (clip.bpm ?? 0) * seconds / 60
            return ["clip": .string(id), "beats": .number(beats), "bpm": .number(beats * 60 / seconds)]
        }
    }

    private enum Correction {
        case ratio(Double)
        case detected
        case beats(Double)
        case bpm(Double)
        case taps([Double])
        case shift(Int)
        case downbeat(Double)

        init(_ reader: inout ObjectReader) throws(SessionError) {
            if let beats = try reader.number("beats", "a number of beats above 0", where: { $0 > 0 }) {
                self = .beats(beats)
            } else if let bpm = try reader.tempo("bpm") {
                self = .bpm(bpm)
            } else if let frames = try reader.number("shift", "a whole number of frames", where: { $0 == $0.rounded() })
            {
                self = .shift(Int(max(-1e15, min(1e15, frames))))
            } else if let beats = try reader.number("downbeat", "a number of beats", where: { abs($0) <= 1e6 }) {
                self = .downbeat(beats)
            } else if case .array(let values)? = reader.value("taps") {
                self = .taps(values.compactMap { if case .number(let time) = $0 { time } else { nil } })
            } else {
                switch try reader.string("by") {
                case "double": self = .ratio(2)
                case "halve": self = .ratio(0.5)
                case "threeHalves": self = .ratio(1.5)
                case "twoThirds": self = .ratio(2.0 / 3)
                case "detected": self = .detected
                default:
                    throw reader.error(
                        "by",
                        expected: "\"double\", \"halve\", \"threeHalves\", \"twoThirds\" or \"detected\", or"
                            + " \"beats\", \"bpm\", \"taps\", \"shift\" or \"downbeat\"")
                }
            }
        }

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
}

extension ClipDocument {
    fileprivate mutating func setBeats(_ count: Double) { (beats, bpm) = (count, nil) }

    fileprivate mutating func setTempo(_ tempo: Double, _ sound: LoopLength) {
        beats = sound.beats(at: tempo)
        bpm = beats == nil ? tempo : nil
    }

    /// Moves the downbeat: the first beat around the loop where it has one of its own, else the first frame. The last one
    /// moves with that where the file goes on; where it does not, the clip becomes so many beats shorter.
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

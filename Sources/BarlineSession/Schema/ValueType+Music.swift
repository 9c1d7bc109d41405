import BarlineEngine
import BarlineTime

extension ValueType where Value == Double {
    /// A gain in dB; `null` is silence.
    static var gain: ValueType {
        var facts = ValueFacts(.number, expected: "a gain in dB of at most 60, or null for silence")
        facts.range = -.greatestFiniteMagnitude...60
        facts.null = "silence"
        facts.unit = "dB"
        facts.control = -60...6
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                switch reader.value(key) {
                case nil: return nil
                case .null: return -.infinity
                case .number(let decibels) where facts.contains(decibels): return decibels
                default: throw reader.error(key, expected: facts.expected)
                }
            },
            write: JSONValue.gain)
    }

    /// A balance.
    static var pan: ValueType { number("a number from -1 to 1", -1...1).controlled(over: -1...1) }

    /// A tempo; the engine plays 20 … 999.
    static var tempo: ValueType {
        number(
            "a tempo in BPM above 0", 0...NumberBounds.tempo, isAboveLowest: true,
            atMost: "a tempo in BPM of at most \(Int(NumberBounds.tempo))", unit: "BPM"
        ).controlled(over: 60...180)
    }

    /// A length in beats.
    static var beats: ValueType {
        number(
            "a number of beats above 0", 0...NumberBounds.beats, isAboveLowest: true,
            atMost: "a number of beats of at most \(Int(NumberBounds.beats))", unit: "beats")
    }

    /// A beat of a clip, which may be before its first one.
    static var clipBeat: ValueType {
        number(
            "a number of beats", -NumberBounds.beats...NumberBounds.beats,
            atMost: "a number of beats of at most \(Int(NumberBounds.beats))", unit: "beats")
    }

    /// How long a change of tempo takes.
    static var ramp: ValueType {
        number(
            "a number of beats of at least 0", 0...NumberBounds.beats,
            atMost: "a number of beats of at most \(Int(NumberBounds.beats))", unit: "beats")
    }

    /// A time from the beginning.
    static var seconds: ValueType {
        number(
            "seconds of at least 0", 0...NumberBounds.seconds,
            atMost: "seconds of at most \(Int(NumberBounds.seconds))", unit: "s")
    }

    /// Per cent of a pair of subdivisions.
    static var swing: ValueType {
        let range = MetronomeSettings.swingRange
        return number("a number from 50 to 75", 100 * range.lowerBound...100 * range.upperBound, unit: "%")
    }

    /// The length of a clip's own fade.
    static var fade: ValueType {
        let range = ClipSettings.fadeRange
        let (shortest, longest) = (1000 * range.lowerBound, 1000 * range.upperBound)
        return number("a length in ms from \(Int(range.lowerBound)) to \(Int(longest))", shortest...longest, unit: "ms")
    }

    /// How much higher something is to sound.
    static var semitones: ValueType {
        let range = ClipSettings.transpositionRange
        return number(
            "a number of semitones from \(Int(range.lowerBound)) to \(Int(range.upperBound))", range, unit: "semitones"
        ).controlled(over: -12...12)
    }

    /// How much of the way to the next attack is left as it is.
    static var keptShare: ValueType {
        let range = StretchParameters.keptRange
        return number(
            "a number from \(Int(100 * range.lowerBound)) to \(Int(100 * range.upperBound))",
            100 * range.lowerBound...100 * range.upperBound, unit: "%"
        ).controlled(over: 10...100)
    }

    /// How fast an attack dies away.
    static var sliceDecay: ValueType {
        let range = StretchParameters.decayRange
        let (shortest, longest) = (1000 * range.lowerBound, 1000 * range.upperBound)
        return number(
            "a length in ms from \(Int(shortest)) to \(Int(longest))", shortest...longest, unit: "ms"
        ).controlled(over: 50...2000)
    }

    /// How strong an attack is that cuts off what sounds before it.
    static var cutRise: ValueType {
        let range = StretchParameters.cutRiseRange
        return number(
            "a number of dB from \(Int(range.lowerBound)) to \(Int(range.upperBound))", range, unit: "dB"
        ).controlled(over: 0...20)
    }

    /// How much faster a song is played.
    static var speed: ValueType {
        let range = SongStretch.speedRange
        return number("a number from \(range.lowerBound) to \(Int(range.upperBound))", range).controlled(
            over: 0.5...1.5)
    }
}

extension ValueType {
    /// What has a text of its own, of which `examples` are some.
    package static func named(
        _ expected: String, examples: [String], _ parse: @escaping @Sendable (String) -> Value?,
        _ text: @escaping @Sendable (Value) -> String
    ) -> ValueType {
        var facts = ValueFacts(.text, expected: expected)
        facts.examples = examples.map(JSONValue.string)
        return ValueType(
            facts: facts,
            read: { reader, key throws(SessionError) in
                guard let found = try reader.string(key) else { return nil }
                guard let value = parse(found) else { throw reader.error(key, expected: expected) }
                return value
            }, write: { .string(text($0)) })
    }
}

extension ValueType where Value == TimeSignature {
    /// A metre.
    static var metre: ValueType {
        named("a metre like \"4/4\"", examples: ["4/4", "7/8"], { TimeSignature($0) }, \.description)
    }
}

extension ValueType where Value == Quantization {
    /// A grid.
    static var grid: ValueType {
        var type = named(
            "\"none\", a note from \"1/32\" to \"1/2\" (t, .) or \"1 bar\" to \"8 bars\"", examples: ["1 bar"],
            { Quantization($0) }, \.description)
        type.facts.words = Quantization.named.map(\.description)
        return type
    }
}

extension ValueType where Value == AccentPattern {
    /// Which pulses are accented, played and left out.
    static var accents: ValueType {
        named(
            "a pattern like \"X.x.\": X an accent, x a beat, . silence, at most 64 pulses", examples: ["X.x."],
            { AccentPattern($0) }, \.description)
    }
}

extension ValueType where Value == Playback {
    /// How an item of a playlist is played at a speed of its own.
    static var itemPlayback: ValueType {
        words([Playback.stretch, .repitch].map(\.rawValue), { Playback(rawValue: $0) }, { .string($0.rawValue) })
    }

    /// How a stem follows the tempo.
    static var stemPlayback: ValueType { ValueType<Playback>.word }
}

extension ValueType where Value == [Int] {
    /// Frames of a source, in their order.
    static var frames: ValueType {
        var facts = ValueFacts(.list, expected: "a list of at most 100000 frames in rising order")
        facts.examples = [[0, 24_000]]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .array(let values)? = reader.value(key), values.count <= 100_000 else {
                    throw reader.error(key, expected: facts.expected)
                }
                var frames: [Int] = []
                for (index, value) in values.enumerated() {
                    guard case .number(let number) = value, number == number.rounded(),
                        (0...Double(NumberBounds.frame)).contains(number), Int(number) > frames.last ?? -1
                    else {
                        let least = frames.last.map { "above \($0)" } ?? "of at least 0"
                        throw reader.error(key, at: index, expected: "a frame \(least)")
                    }
                    frames.append(Int(number))
                }
                return frames
            }, write: { .array($0.map { .number(Double($0)) }) })
    }
}

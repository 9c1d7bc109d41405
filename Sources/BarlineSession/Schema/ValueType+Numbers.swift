import BarlineEngine

/// Bounds of numbers that come in from files and clients. No music needs what lies beyond them, and nothing that is
/// done with a number within them takes long or overflows.
enum NumberBounds {
    /// Rows, places of tracks, stems and scenes: 0 … 9999.
    static let row = 0...9_999
    /// Places of the playlist and of mappings.
    static let place = 0...999_999
    /// Frames of a file or of a performance: 2⁴⁸ are 46 years at 192 kHz.
    static let frame = 1 << 48
    /// Beats: the longest clip that is played.
    static let beats = ClipSettings.beatsRange.upperBound
    /// Bars of a song.
    static let bar = 100_000
    /// BPM, of which 20 … 999 are played.
    static let tempo = 100_000.0
    /// Seconds: 115 days.
    static let seconds = 1e7
}

extension ValueType where Value == Double {
    /// A number within a range.
    ///
    /// - Parameters:
    ///   - expected: what is said of a value that is none of them.
    ///   - range: what it may be.
    ///   - isAboveLowest: whether the range's lower end is excluded.
    ///   - atMost: what is said of a greater one; `nil` for `expected`.
    ///   - unit: what it counts.
    /// - Returns: the type.
    static func number(
        _ expected: String, _ range: ClosedRange<Double>, isAboveLowest: Bool = false, atMost: String? = nil,
        unit: String? = nil
    ) -> ValueType {
        var facts = ValueFacts(.number, expected: expected)
        facts.range = range
        facts.isAboveLowest = isAboveLowest
        facts.expectedAtMost = atMost
        facts.unit = unit
        return ValueType(facts: facts, read: ValueType.reading(facts), write: JSONValue.number)
    }

    fileprivate static func reading(
        _ facts: ValueFacts
    ) -> @Sendable (inout ObjectReader, String) throws(SessionError) -> Double? {
        { reader, key throws(SessionError) in
            switch reader.value(key) {
            case nil, .null: return nil
            case .number(let number):
                if facts.contains(number) { return number }
                throw reader.error(key, expected: facts.expected(for: number))
            case .integer(let number): throw reader.error(key, expected: facts.expected(for: Double(number)))
            default: throw reader.error(key, expected: facts.expected)
            }
        }
    }
}

extension ValueType where Value == Int {
    /// A whole number from the lower to the upper end of a range; an error names both.
    package static func whole(_ range: ClosedRange<Int>, unit: String? = nil) -> ValueType {
        whole(range, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)", unit: unit)
    }

    /// A whole number of at least something, below a bound that is far away; an error names the one that is missed.
    static func whole(atLeast lowest: Int, atMost highest: Int, unit: String? = nil) -> ValueType {
        whole(
            lowest...highest, expected: "a whole number of at least \(lowest)",
            atMost: "a whole number of at most \(highest)", unit: unit)
    }

    /// A whole number within a range, in other words.
    static func whole(
        _ range: ClosedRange<Int>, expected: String, atMost: String? = nil, unit: String? = nil
    ) -> ValueType {
        var facts = ValueFacts(.whole, expected: expected)
        facts.range = Double(range.lowerBound)...Double(range.upperBound)
        facts.expectedAtMost = atMost
        facts.unit = unit
        let read = ValueType<Double>.reading(facts)
        return ValueType(
            facts: facts, read: { reader, key throws(SessionError) in try read(&reader, key).map { Int($0) } },
            write: { .number(Double($0)) })
    }

    /// A row, or the place of a track, a stem or a scene.
    static var row: ValueType { whole(atLeast: NumberBounds.row.lowerBound, atMost: NumberBounds.row.upperBound) }

    /// A place of a long list.
    static var place: ValueType {
        whole(atLeast: NumberBounds.place.lowerBound, atMost: NumberBounds.place.upperBound)
    }

    /// A frame, from `lowest` on.
    static func frame(atLeast lowest: Int = 0) -> ValueType {
        whole(atLeast: lowest, atMost: max(lowest, NumberBounds.frame), unit: "frames")
    }
}

extension ValueType where Value == Int64 {
    /// A frame, from `lowest` on.
    static func frame(atLeast lowest: Int = 0) -> ValueType {
        ValueType<Int>.frame(atLeast: lowest).map({ Int64($0) }, { Int($0) })
    }
}

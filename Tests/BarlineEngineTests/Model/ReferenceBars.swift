/// A metre as two numbers.
struct Metre: Hashable, CustomStringConvertible {
    var numerator: Int
    var denominator: Int

    var pulse: Double { 4 / Double(denominator) }
    var bar: Double { Double(numerator) * pulse }
    var description: String { "\(numerator)/\(denominator)" }
}

/// The bars of the specification, restated: bar 0 begins at beat 0, and every bar's length is added up one by one.
struct ReferenceBars {
    private var changes: [(bar: Int, metre: Metre)]
    /// The metre of what comes before bar 0, which no change reaches.
    private let counted: Metre

    init(_ metre: Metre) {
        changes = [(0, metre)]
        counted = metre
    }

    var latest: Metre { changes[changes.count - 1].metre }

    func metre(ofBar bar: Int) -> Metre { changes.last { $0.bar <= bar }?.metre ?? counted }

    func line(_ bar: Int) -> Double {
        if bar < 0 { return Double(bar) * counted.bar }
        var beat = 0.0
        for index in 0..<bar { beat += metre(ofBar: index).bar }
        return beat
    }

    /// The bar under way at `beat`, and how much of it has passed.
    func bar(at beat: Double) -> (index: Int, fraction: Double) {
        if beat < 0 {
            let bars = beat / counted.bar
            let index = Int(bars.rounded(.down))
            return (index, bars - Double(index))
        }
        var index = 0
        var line = 0.0
        while true {
            let length = metre(ofBar: index).bar
            if line + length > beat { return (index, (beat - line) / length) }
            line += length
            index += 1
        }
    }

    func bars(at beat: Double) -> Double {
        let bar = bar(at: beat)
        return Double(bar.index) + bar.fraction
    }

    /// Changes the metre from the line of `bar` on.
    mutating func change(atBar bar: Int, to metre: Metre) {
        changes.removeAll { $0.bar >= bar }
        changes.append((bar, metre))
    }
}

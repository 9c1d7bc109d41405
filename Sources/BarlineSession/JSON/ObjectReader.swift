import BarlineEngine
import BarlineTime

/// Reads the keys of a JSON object one by one. Errors name the file, the path of the key and what was expected.
struct ObjectReader {
    private let values: [String: JSONValue]
    /// The file that the object is from.
    let file: String
    /// The path of the object within the file; empty for the file's own.
    let path: String
    private var read: Set<String> = []

    init(_ value: JSONValue, file: String, path: String) throws(SessionError) {
        guard case .object(let values) = value else {
            throw .value(
                path: file, key: path.isEmpty ? "(top level)" : path, expected: "an object", found: value.summary)
        }
        self.values = values
        self.file = file
        self.path = path
    }

    /// What no reading call has asked for.
    var rest: [String: JSONValue] { values.filter { !read.contains($0.key) } }

    /// The path of one of the object's keys.
    func key(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func error(_ name: String, expected: String) -> SessionError {
        .value(path: file, key: key(name), expected: expected, found: values[name]?.summary ?? "nothing")
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    mutating func value(_ name: String) -> JSONValue? {
        read.insert(name)
        return values[name]
    }

    mutating func string(_ name: String) throws(SessionError) -> String? {
        switch value(name) {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw error(name, expected: "a text")
        }
    }

    mutating func requiredString(_ name: String) throws(SessionError) -> String {
        guard let text = try string(name), !text.isEmpty else { throw error(name, expected: "a text") }
        return text
    }

    mutating func bool(_ name: String, default fallback: Bool) throws(SessionError) -> Bool {
        switch value(name) {
        case nil, .null: return fallback
        case .bool(let isOn): return isOn
        default: throw error(name, expected: "true or false")
        }
    }

    mutating func number(
        _ name: String, _ expected: String = "a number", where isValid: (Double) -> Bool = { _ in true }
    ) throws(SessionError) -> Double? {
        switch value(name) {
        case nil, .null: return nil
        case .number(let number) where number.isFinite && isValid(number): return number
        default: throw error(name, expected: expected)
        }
    }

    mutating func integer(_ name: String, atLeast lowest: Int) throws(SessionError) -> Int? {
        let expected = "a whole number of at least \(lowest)"
        return try number(name, expected) { $0 == $0.rounded() && $0 >= Double(lowest) && $0 < 0x1p53 }.map { Int($0) }
    }

    /// A gain in dB; missing is unity, `null` is silence.
    mutating func gain(_ name: String) throws(SessionError) -> Double {
        switch value(name) {
        case nil: return 0
        case .null: return -.infinity
        case .number(let decibels) where decibels.isFinite && decibels <= 60: return decibels
        default: throw error(name, expected: "a gain in dB of at most 60, or null for silence")
        }
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Word
    ) throws(SessionError) -> Word where Word.RawValue == String {
        guard let text = try string(name) else { return fallback }
        guard let word = Word(rawValue: text) else {
            throw error(name, expected: Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        }
        return word
    }

    /// The key `playback`; what can't be played is refused, not played differently.
    mutating func playback(default fallback: Playback) throws(SessionError) -> Playback {
        if value("playback") == .string("stretch") {
            throw .unsupported(
                path: file, key: key("playback"),
                what: "\"stretch\" can't be played by this version; \"repitch\" and \"original\" can")
        }
        return try word("playback", default: fallback)
    }

    mutating func quantization(_ name: String) throws(SessionError) -> Quantization? {
        guard let text = try string(name) else { return nil }
        guard let value = Quantization(text) else {
            throw error(name, expected: "\"none\", a note from \"1/32\" to \"1/2\" (t, .) or \"1 bar\" to \"8 bars\"")
        }
        return value
    }

    mutating func timeSignature(_ name: String) throws(SessionError) -> TimeSignature? {
        guard let text = try string(name) else { return nil }
        guard let value = TimeSignature(text) else { throw error(name, expected: "a metre like \"4/4\"") }
        return value
    }

    /// The length of a clip's own fade, in milliseconds.
    mutating func fade(_ name: String) throws(SessionError) -> Double? {
        let range = ClipSettings.fadeRange
        return try number(name, "a length in ms from \(Int(range.lowerBound)) to \(Int(1000 * range.upperBound))") {
            range.contains($0 / 1000)
        }
    }

    mutating func tempo(_ name: String) throws(SessionError) -> Double? {
        try number(name, "a tempo in BPM above 0") { $0 > 0 }
    }

    /// The objects of a list.
    mutating func objects(_ name: String) throws(SessionError) -> [ObjectReader] {
        switch value(name) {
        case nil, .null: return []
        case .array(let values):
            var readers: [ObjectReader] = []
            for (index, value) in values.enumerated() {
                readers.append(try ObjectReader(value, file: file, path: "\(key(name))[\(index)]"))
            }
            return readers
        default: throw error(name, expected: "a list")
        }
    }

    /// An object within this one; an empty one where there is none.
    mutating func object(_ name: String) throws(SessionError) -> ObjectReader {
        let value = value(name) ?? .object([:])
        return try ObjectReader(value == .null ? .object([:]) : value, file: file, path: key(name))
    }
}

import BarlineTime

/// The song loop, as stored in a session file: a region in beats or bars, and whether it is on.
public struct SongLoop: Hashable, Sendable {
    /// A region of the song.
    public enum Region: Hashable, Sendable {
        /// A start and a length in quarter notes, counted from 0.
        case beats(start: Double, length: Double)
        /// A start and a length in bars, counted from 1.
        case bars(first: Int, count: Int)
    }

    var beat: Double?
    var beats: Double?
    var bar: Int?
    var bars: Int?
    /// Whether it is on.
    public var isOn = true
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates no loop.
    public init() {}

    /// The region; `nil` if there is none. Bars take precedence over beats.
    public var region: Region? {
        get {
            if let bar, let bars { return .bars(first: bar, count: bars) }
            if let beat, let beats { return .beats(start: beat, length: beats) }
            return nil
        }
        set {
            (beat, beats, bar, bars) = (nil, nil, nil, nil)
            switch newValue {
            case .beats(let start, let length): (beat, beats) = (start, length)
            case .bars(let first, let count): (bar, bars) = (first, count)
            case nil: break
            }
        }
    }
}

extension SongLoop: KeyedDocument {
    static var standard: SongLoop { SongLoop() }

    static let keys: [DocumentKey<SongLoop>] = [
        .optional("bar", \.bar, .bar, "where it begins, with `bars`", as: .missing),
        .optional("bars", \.bars, .bars, "its length; goes before `beats`", as: .missing),
        .optional("beat", \.beat, .songBeat, "where it begins, with `beats`", as: .missing),
        .optional("beats", \.beats, .beats, "its length", as: .missing),
        .standard("on", \.isOn, .flag, "whether it loops", as: .missing),
    ]
}

extension ValueType where Value == Double {
    /// A place of the song.
    static var songBeat: ValueType {
        number(
            "a beat of at least 0", 0...NumberBounds.beats, atMost: "a beat of at most \(Int(NumberBounds.beats))",
            unit: "beats")
    }
}

extension ValueType where Value == Int {
    /// A bar of the song.
    static var bar: ValueType { whole(1...NumberBounds.bar, unit: "bars") }

    /// A number of bars.
    static var bars: ValueType { whole(1...NumberBounds.bar, unit: "bars") }
}

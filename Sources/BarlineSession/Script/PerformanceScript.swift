import BarlineTime
import Foundation

/// The actions of a performance, as JSON Lines.
public struct PerformanceScript: Hashable, Sendable {
    /// The actions, in the order of the file.
    public var entries: [ScriptEntry] = []
    /// The name of the script in errors.
    public var path = "script"
    /// What it begins in, where it is more than a session that was just opened.
    package var beginning: ScriptBeginning?

    /// Whether it does anything that a clip's audio must be in memory for: edits, or recording over it.
    package var changesClips: Bool {
        beginning != nil
            || entries.contains { entry in
                switch entry.action {
                case .session, .change, .record, .layer: true
                default: false
                }
            }
    }

    /// Creates a script without actions.
    public init() {}

    /// Reads the script file at `path`.
    ///
    /// - Complexity: O(*n* log *n*) in the lines of the script.
    public init(path: String) throws(SessionError) {
        try self.init(text: String(decoding: try SessionFile.read(path), as: UTF8.self), path: path)
    }

    /// Reads a script; empty lines are skipped.
    ///
    /// - Complexity: O(*n*) in the lines.
    public init(text: String, path: String) throws(SessionError) {
        self.path = path
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            switch JSONText.parse(Data(line.utf8)) {
            case .failure: throw .file(path: path, reason: "line \(index + 1): is not valid JSON")
            case .success(let value):
                try add(value, line: index + 1)
            }
        }
    }

    /// Adds what a line of a script says.
    mutating func add(_ value: JSONValue, line: Int) throws(SessionError) {
        var reader = try ObjectReader(value, file: path, path: "line \(line)")
        let word = try reader.string("do") ?? ""
        if word == ScriptBeginning.word {
            guard entries.isEmpty, beginning == nil else {
                throw reader.error("do", expected: "\"\(ScriptBeginning.word)\" in the first line only")
            }
            beginning = try ScriptBeginning(&reader)
            return
        }
        let time = try time(&reader)
        var entry = ScriptEntry(time: time, action: try PerformanceScript.action(word, &reader), line: line)
        entry.isPlanned = try ValueType.flag.read(&reader, "planned") ?? false
        entry.late = try ValueType<Int64>.frame().read(&reader, "late") ?? 0
        entries.append(entry)
    }

    private static func action(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> ScriptAction {
        if word == ScriptAction.edit.facts.word { return try ScriptAction.edit.read(&reader) }
        if let change = try SessionChange(word, &reader) { return .change(change) }
        let action = try ScriptAction(&reader)
        try reader.refuseBeats()
        return action
    }

    private func time(_ reader: inout ObjectReader) throws(SessionError) -> ScriptTime {
        let seconds = try ValueType.scriptTime.read(&reader, "at")
        let frame = try ValueType<Int64>.frame(atLeast: Int(beginning?.frame.rawValue ?? 0)).read(&reader, "frame")
        switch (seconds, frame) {
        case (let seconds?, nil): return .seconds(seconds)
        case (nil, let frame?): return .frame(FrameTime(frame))
        case (nil, nil): throw reader.error("at", expected: "seconds in \"at\" or a number of frames in \"frame\"")
        default: throw reader.error("at", expected: "\"at\" or \"frame\", not both")
        }
    }

    /// The actions in the order of their frames, then in the order of the file.
    ///
    /// - Complexity: O(*n* log *n*) in the entries.
    public func schedule(at sampleRate: SampleRate) -> [(frame: FrameTime, entry: ScriptEntry)] {
        entries.enumerated()
            .map { (frame: frame(of: $0.element, at: sampleRate), entry: $0.element, order: $0.offset) }
            .sorted { ($0.frame.rawValue, $0.order) < ($1.frame.rawValue, $1.order) }
            .map { (frame: $0.frame, entry: $0.entry) }
    }

    private func frame(of entry: ScriptEntry, at sampleRate: SampleRate) -> FrameTime {
        let frame = entry.time.frame(at: sampleRate)
        guard case .frame = entry.time, let recorded = beginning?.sampleRate else { return frame }
        return FrameTime(sampleRate.frames(frame.rawValue, at: recorded))
    }

    /// The line of an action, without its line break.
    package static func line(_ action: ScriptAction, at frame: FrameTime) -> String {
        line(ScriptEntry(time: .frame(frame), action: action), at: frame)
    }

    private static func line(_ entry: ScriptEntry, at frame: FrameTime) -> String {
        var entry = entry
        entry.time = .frame(frame)
        return JSONText.line(.object(entry.json))
    }

    /// Writes the script to a file, which is replaced atomically.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - sampleRate: the sample rate that converts seconds to frames; a recording has its own.
    /// - Throws: ``SessionError`` if the file can't be written.
    /// - Complexity: O(*n* log *n*) in the entries.
    public func write(to path: String, at sampleRate: SampleRate) throws(SessionError) {
        let file = try LineFile(path: path)
        // Its first line tells the rate of all that follow.
        let sampleRate = beginning?.sampleRate ?? sampleRate
        if let beginning { try file.write(JSONText.line(beginning.json)) }
        for (frame, entry) in schedule(at: sampleRate) {
            var entry = entry
            // Whether the session keeps it matters only to the edits of a recording.
            if beginning == nil { entry.isPlanned = false }
            try file.write(PerformanceScript.line(entry, at: frame))
        }
        try file.finish()
    }
}

extension ValueType where Value == Double {
    /// A time since the start of the run.
    fileprivate static var scriptTime: ValueType {
        number("seconds of at least 0", 0...999_999_999, atMost: "seconds of at most 999999999", unit: "s")
    }
}

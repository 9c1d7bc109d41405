import BarlineFiles
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

    /// Reads a script from a pipe, to its end; `path` is what errors call it.
    ///
    /// - Throws: ``SessionError`` where it can't be read, is too long or is no script.
    package init(pipe: FileHandle, path: String) throws(SessionError) {
        var bytes = Data()
        do {
            while bytes.count <= SessionFile.limit, let more = try pipe.read(upToCount: 1 << 16), !more.isEmpty {
                bytes += more
            }
        } catch {
            throw .file(path: path, reason: "can't be read: \(systemReason(of: error))")
        }
        if bytes.count > SessionFile.limit { throw SessionFile.tooLarge(path) }
        try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
    }

    /// Reads a script; empty lines are skipped.
    ///
    /// - Complexity: O(*n*) in the lines.
    public init(text: String, path: String) throws(SessionError) {
        self.path = path
        var sessions = RecordedSessionReader()
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            switch JSONText.parse(Data(line.utf8)) {
            case .failure: throw .file(path: path, reason: "line \(index + 1): is not valid JSON")
            case .success(let value):
                guard let whole = sessions.whole(value) else { throw unknownChange(value, line: index + 1) }
                try add(whole, line: index + 1)
            }
        }
    }

    /// Says that what a line has changed can't be changed in the session before it.
    func unknownChange(_ value: JSONValue, line: Int) -> SessionError {
        let key = RecordedSessionReader.changeKey
        do throws(SessionError) {
            return try ObjectReader(value, file: path, path: "line \(line)")
                .error(key, expected: "what makes another session of the one before it")
        } catch {
            return error
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
        var action = try PerformanceScript.action(word, &reader)
        if case .session(let session, let kept) = action, let before = lastSession {
            action = .session(session.sharing(before), kept: kept)
        }
        var entry = ScriptEntry(time: try time(of: action, &reader), action: action, line: line)
        entry.isPlanned = try ValueType.flag.read(&reader, "planned") ?? false
        entry.late = try ValueType<Int64>.frame().read(&reader, "late") ?? 0
        entries.append(entry)
    }

    /// The session of the last line that has one.
    private var lastSession: SessionDocument? {
        for entry in entries.reversed() {
            if case .session(let session, _) = entry.action { return session }
        }
        return beginning?.session
    }

    /// The action that a line is whose word is `word`.
    static func action(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> ScriptAction {
        if let verb = ScriptAction.recorded.first(where: { $0.facts.word == word }) { return try verb.read(&reader) }
        if let change = try SessionChange(word, &reader) { return .change(change) }
        return try ScriptAction(&reader)
    }

    private func time(of action: ScriptAction, _ reader: inout ObjectReader) throws(SessionError) -> ScriptTime {
        let frames = ValueType<Int64>.frame(atLeast: Int(beginning?.frame.rawValue ?? 0))
        // What an edit brings is loaded before, each over the one before it: their order has to be known.
        let isEdit = action.isEdit
        let time = try ScriptTime.read(&reader, seconds: .scriptTime, frames: frames, isEdit: isEdit)
        guard let time, time != .nextBar else {
            // Beats and bars that are the action's own are no time.
            let others = ["beat", "bar"].filter { key in
                !isEdit && !(reader.isPresent(key) && time == nil)
            }
            let words = (["\"at\" in seconds", "\"frame\""] + others.map { "\"\($0)\"" }).joined(separator: " or ")
            throw reader.error("at", expected: "a time: \(words)")
        }
        return time
    }

    /// The actions that have a frame, in the order of their frames, then in the order of the file.
    ///
    /// - Complexity: O(*n* log *n*) in the entries.
    public func schedule(at sampleRate: SampleRate) -> [(frame: FrameTime, entry: ScriptEntry)] {
        steps(at: sampleRate).map { (frame: $0.frame, entry: $0.entry) }
    }

    /// The same, with the place of each in the file.
    func steps(at sampleRate: SampleRate) -> [(frame: FrameTime, order: Int, entry: ScriptEntry)] {
        entries.enumerated()
            .compactMap { order, entry in
                frame(of: entry, at: sampleRate).map { (frame: $0, order: order, entry: entry) }
            }
            .sorted { ($0.frame.rawValue, $0.order) < ($1.frame.rawValue, $1.order) }
    }

    private func frame(of entry: ScriptEntry, at sampleRate: SampleRate) -> FrameTime? {
        let frame = entry.time.frame(at: sampleRate)
        guard case .frame(let counted) = entry.time, let recorded = beginning?.sampleRate else { return frame }
        return FrameTime(sampleRate.frames(counted.rawValue, at: recorded))
    }

    /// The line of an action, without its line break.
    package static func line(_ action: ScriptAction, at frame: FrameTime) -> String {
        JSONText.line(.object(ScriptEntry(time: .frame(frame), action: action).json))
    }

    /// Writes the script to a file, which is replaced atomically.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - sampleRate: the sample rate that converts seconds to frames; a recording has its own.
    /// - Throws: ``SessionError`` if the file can't be written.
    /// - Complexity: O(*n* log *n*) in the entries.
    public func write(to path: String, at sampleRate: SampleRate) throws(SessionError) {
        for (index, entry) in entries.enumerated() {
            try entry.time.checkWritable(file: path, key: "entries[\(index)]")
        }
        let file = try LineFile(path: path)
        var lines = RecordedSessionWriter()
        // Its first line tells the rate of all that follow.
        let sampleRate = beginning?.sampleRate ?? sampleRate
        if let beginning { try file.write(lines.line(beginning)) }
        let timed = schedule(at: sampleRate).map { (frame: FrameTime?.some($0.frame), entry: $0.entry) }
        let others = entries.filter { $0.time.frame(at: sampleRate) == nil }.map { (frame: FrameTime?.none, entry: $0) }
        for (frame, var entry) in timed + others {
            // Whether the session keeps it matters only to the edits of a recording.
            if beginning == nil { entry.isPlanned = false }
            if let frame { entry.time = .frame(frame) }
            try file.write(lines.line(entry))
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

import BarlineTime
import Foundation

/// What is done when: the actions of a performance, one JSON object a line.
public struct PerformanceScript: Hashable, Sendable {
    /// The actions, in the order of the file.
    public var entries: [ScriptEntry] = []
    /// What errors call the script.
    public var path = "script"

    /// A script without actions.
    public init() {}

    /// Reads the script file at `path`.
    public init(path: String) throws(SessionError) {
        try self.init(text: String(decoding: try SessionFile.read(path), as: UTF8.self), path: path)
    }

    /// Reads a script; empty lines are passed over.
    public init(text: String, path: String) throws(SessionError) {
        self.path = path
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            switch JSONText.parse(Data(line.utf8)) {
            case .failure: throw .file(path: path, reason: "line \(index + 1): is not valid JSON")
            case .success(let value):
                var reader = try ObjectReader(value, file: path, path: "line \(index + 1)")
                let time = try PerformanceScript.time(&reader)
                entries.append(ScriptEntry(time: time, action: try ScriptAction(&reader), line: index + 1))
            }
        }
    }

    private static func time(_ reader: inout ObjectReader) throws(SessionError) -> ScriptTime {
        let seconds = try reader.number("at", "seconds of at least 0") { $0 >= 0 && $0 < 1e9 }
        let frame = try reader.integer("frame", atLeast: 0)
        switch (seconds, frame) {
        case (let seconds?, nil): return .seconds(seconds)
        case (nil, let frame?): return .frame(FrameTime(Int64(frame)))
        case (nil, nil): throw reader.error("at", expected: "seconds in \"at\" or a number of frames in \"frame\"")
        default: throw reader.error("at", expected: "\"at\" or \"frame\", not both")
        }
    }

    /// The actions in the order in which they take effect; those of one frame in the order of the file.
    public func schedule(at sampleRate: SampleRate) -> [(frame: FrameTime, entry: ScriptEntry)] {
        entries.enumerated()
            .map { (frame: $0.element.time.frame(at: sampleRate), entry: $0.element, order: $0.offset) }
            .sorted { ($0.frame.rawValue, $0.order) < ($1.frame.rawValue, $1.order) }
            .map { (frame: $0.frame, entry: $0.entry) }
    }

    /// The line of an action, without its line break.
    public static func line(_ action: ScriptAction, at frame: FrameTime) -> String {
        var values = action.json
        values["frame"] = .number(Double(frame.rawValue))
        return JSONText.line(.object(values))
    }
}

import BarlineHost
import BarlineSession
import Foundation
import Logging
import Synchronization

/// The program's log: on standard error from a level on, and for the log of a crash from `info` on.
struct ProgramLog: LogHandler {
    /// The format of a line on standard error.
    enum Format: String, CaseIterable, Sendable {
        /// For people.
        case text
        /// One JSON object a line: `time`, `level`, `logger`, `message`, `metadata`.
        case json
    }

    /// The place where lines are noted in case of a crash.
    private struct Notes {
        var recorder: FlightRecorder?
        /// What was logged before there was a recorder.
        var early: [String] = []
    }

    private static let notes = Mutex(Notes())
    private static let choice = Mutex((level: Logger.Level.error, format: Format.text))

    /// Makes this the log of all that is loaded. To be called once, before anything logs.
    static func install() { LoggingSystem.bootstrap { ProgramLog($0) } }

    /// Shows lines from a level on, in a format, of loggers that are made from now on.
    static func show(from level: Logger.Level, as format: Format) {
        choice.withLock { $0 = (level, format) }
    }

    private static let earlyCount = 64

    /// Notes lines in case of a crash from now on, and what was logged before; `nil` for no longer.
    static func note(in recorder: FlightRecorder?) {
        notes.withLock { notes in
            for line in notes.early { recorder?.note(line) }
            notes = Notes(recorder: recorder)
        }
    }

    private static func note(_ line: String) {
        notes.withLock { notes in
            if let recorder = notes.recorder { return recorder.note(line) }
            if notes.early.count < earlyCount { notes.early.append(line) }
        }
    }

    private let label: String
    private let shown: Logger.Level
    private let format: Format
    private var writer: LogWriter { format == .json ? .json : .text }

    private init(_ label: String) {
        self.label = label
        (shown, format) = ProgramLog.choice.withLock { $0 }
        logLevel = min(shown, .info)
    }

    /// The time, as 2026-11-24T11:30:38+0000.
    private static var time: String {
        var now = Foundation.time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let text = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        ProgramLog.note("log \(event.level) \(label): \(event.message)\(text)")
        guard event.level >= shown else { return }
        switch format {
        case .text:
            writer.write("\(ProgramLog.time) \(event.level) \(label):\(text) [\(event.source)] \(event.message)\n")
        case .json:
            writer.write(
                ProgramLog.line(level: event.level, logger: label, message: event.message.description, values))
        }
    }

    /// A line in JSON.
    static func line(
        level: Logger.Level, logger: String, message: String, _ metadata: Logger.Metadata = [:]
    ) -> String {
        let line: JSONValue = [
            "time": .string(Date().formatted(.iso8601.time(includingFractionalSeconds: true))),
            "level": .string(level.rawValue), "logger": .string(logger), "message": .string(message),
            "metadata": .object(metadata.mapValues { .string($0.description) }),
        ]
        return line.line + "\n"
    }
}

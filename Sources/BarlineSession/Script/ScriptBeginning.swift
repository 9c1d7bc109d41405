import BarlineTime
import Foundation

/// The state that a recorded script begins in: the session as it was when everything was last at rest, and since when
/// what follows is known.
///
/// Frame 0 of the script is the first one of the recording. What was done before has frames below 0: it is played, and
/// not written.
package struct ScriptBeginning: Hashable, Sendable {
    /// The session, from ``frame`` on.
    package var session: SessionDocument
    /// Where its relative paths start where it was recorded.
    package var folder: String
    /// The first frame that is played, at most 0.
    package var frame: FrameTime
    /// The length of the recording in frames; `nil` where it is open.
    package var frames: Int64?
    /// The rate of all frames.
    package var sampleRate: SampleRate

    /// The word of the line.
    static let word = "begin"

    /// Frames that are played before what is written, at a rate.
    func leadFrames(at rate: SampleRate) -> Int64 { -rate.frames(frame.rawValue, at: sampleRate) }
}

extension ScriptBeginning {
    init(_ reader: inout ObjectReader) throws(SessionError) {
        session = try reader.session("session")
        folder = try reader.requiredString("folder")
        let past = ValueType.whole(-NumberBounds.frame...0, expected: "a whole number of frames of at most 0")
        frame = FrameTime(Int64(try past.read(&reader, "frame") ?? 0))
        frames = try ValueType<Int64>.frame().read(&reader, "frames")
        let hertz = ValueType.number("a sample rate from 8000 to 192000", 8_000...192_000, unit: "Hz")
        guard let rate = SampleRate(try hertz.required("sampleRate", &reader)) else {
            throw reader.error("sampleRate", expected: hertz.facts.expected)
        }
        sampleRate = rate
    }

    var json: JSONValue {
        var values: [String: JSONValue] = [
            "do": .string(ScriptBeginning.word), "session": session.json, "folder": .string(folder),
            "frame": .number(Double(frame.rawValue)), "sampleRate": .number(sampleRate.hertz),
        ]
        if let frames { values["frames"] = .number(Double(frames)) }
        return .object(values)
    }
}

extension ObjectReader {
    /// A whole session.
    mutating func session(_ name: String) throws(SessionError) -> SessionDocument {
        guard let value = value(name) else { throw error(name, expected: "a session") }
        return try SessionDocument(value, file: "\(file): \(key(name))")
    }
}

extension SampleRate {
    /// As many frames of this rate as take the time that `count` of another rate take; the same where that is the rate.
    func frames(_ count: Int64, at other: SampleRate) -> Int64 {
        self == other ? count : frames(seconds: other.seconds(frames: count))
    }
}

extension PerformanceScript {
    /// The same script with the paths of its sessions and playlists for a session file in another place: what is not
    /// in that file's folder is where it was.
    ///
    /// - Parameter path: the session's file.
    /// - Returns: the script, as it is where it was not recorded.
    package func located(beside path: String) -> PerformanceScript {
        guard let beginning else { return self }
        let near = URL(fileURLWithPath: path).deletingLastPathComponent()
        let far = URL(fileURLWithPath: beginning.folder, isDirectory: true)
        func found(_ file: String) -> String {
            if file.contains("://") { return file }
            let isNear = FileManager.default.fileExists(atPath: URL(fileURLWithPath: file, relativeTo: near).path)
            return isNear ? file : URL(fileURLWithPath: file, relativeTo: far).path
        }
        return withFiles(found)
    }

    private func withFiles(_ path: (String) -> String) -> PerformanceScript {
        var script = self
        if let session = beginning?.session { script.beginning?.session = session.withFiles(path) }
        for index in script.entries.indices {
            script.entries[index].action = script.entries[index].action.withFiles(path)
        }
        return script
    }
}

import BarlineFiles
import BarlineSession
import BarlineTime
import Foundation

/// The built-in demo set as files: synthesised loops, the session that launches them, and a script that tours it.
package enum DemoSession {
    /// The session's file name.
    static let fileName = "demo.barline"
    /// The tour's file name.
    static let tourFileName = "tour.jsonl"

    /// Writes the set to `folder`, which is made where there is none, and returns the session's path.
    ///
    /// - Throws: ``BarlineSession/SessionError`` or `AudioFileError` where the folder can't be written to.
    @discardableResult
    package static func write(to folder: String) throws -> String {
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        let loops = base.appendingPathComponent("loops", isDirectory: true)
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), !isDirectory.boolValue {
            throw SessionError.file(path: folder, reason: "is a file, and a folder is needed")
        }
        do {
            try FileManager.default.createDirectory(at: loops, withIntermediateDirectories: true)
        } catch {
            throw SessionError.file(path: folder, reason: "can't be made: \(systemReason(of: error))")
        }
        for loop in DemoSet.loops { try write(loop, to: base.appendingPathComponent(file(of: loop)).path) }
        let tour = try LineFile(path: base.appendingPathComponent(tourFileName).path)
        for (frame, entry) in self.tour.schedule(at: .standard) {
            try tour.write(PerformanceScript.line(entry.action, at: frame))
        }
        try tour.finish()
        let path = base.appendingPathComponent(fileName).path
        try document.write(to: path)
        return path
    }

    private static func write(_ loop: DemoLoop, to path: String) throws {
        let (left, right) = loop.render()
        let rate = SampleRate(Double(loop.sampleRate)) ?? .standard
        let writer = try AudioFileWriter(
            path: path, sampleRate: rate, format: .integer24, channels: left == right ? 1 : 2)
        try left.withUnsafeBufferPointer { left throws(AudioFileError) in
            try right.withUnsafeBufferPointer { right throws(AudioFileError) in
                guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                try writer.write(left: leftBase, right: rightBase, frames: left.count)
            }
        }
        try writer.finish()
    }

    /// The file of the set in `folder` that is not what ``write(to:)`` writes; `nil` where there is none.
    ///
    /// - Throws: `AudioFileError` where there is no room to compare loops.
    /// - Complexity: that of ``write(to:)``, for the loops that are there.
    package static func changedFile(in folder: String) throws -> String? {
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        let texts = [
            (fileName, JSONText.document(document.json)),
            (
                tourFileName,
                tour.schedule(at: .standard).map { PerformanceScript.line($1.action, at: $0) + "\n" }.joined()
            ),
        ]
        for (name, text) in texts {
            let path = base.appendingPathComponent(name).path
            guard let there = FileManager.default.contents(atPath: path) else { continue }
            if there != Data(text.utf8) { return path }
        }
        return try changedLoop(in: base)
    }

    private static func changedLoop(in base: URL) throws -> String? {
        let name = "barline-demo-\(UUID().uuidString).wav"
        let written = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        defer { unlink(written) }
        for loop in DemoSet.loops {
            let path = base.appendingPathComponent(file(of: loop)).path
            guard let there = FileManager.default.contents(atPath: path) else { continue }
            try write(loop, to: written)
            if there != FileManager.default.contents(atPath: written) { return path }
        }
        return nil
    }

    /// The set in the user's cache, or a temporary folder where that can't be written to; it is written where it is missing.
    /// Returns the session's path.
    ///
    /// - Throws: ``BarlineSession/SessionError`` where neither can be written to: why the cache can't.
    package static func cached() throws(SessionError) -> String {
        do throws(SessionError) {
            return try cached(in: UserFolders.cache)
        } catch {
            guard let folder = UserFolders.temporary, let path = try? cached(in: folder) else { throw error }
            return path
        }
    }

    private static func cached(in folder: URL) throws(SessionError) -> String {
        let folder = folder.appendingPathComponent("demo-\(version)").path
        let path = folder + "/" + fileName
        // The session is written last: where it is as it should be, everything is.
        let cached = try? String(contentsOfFile: path, encoding: .utf8)
        if cached == JSONText.document(document.json) { return path }
        do {
            return try write(to: folder)
        } catch let error as SessionError {
            throw error
        } catch {
            throw .file(path: fileName, reason: "\(error)")
        }
    }

    /// Changes whenever a loop of the set is another.
    private static let version = 5

    private static func file(of loop: DemoLoop) -> String { "loops/\(loop.id).wav" }

    /// The session.
    package static var document: SessionDocument {
        var document = SessionDocument()
        document.name = "Demo set"
        document.tempo = DemoSet.tempo
        // Room for the mixes that a performer makes, which nobody has measured.
        document.masterGain = -1
        document.tracks = DemoSet.tracks.map { track in
            var column = TrackDocument(id: track.id, name: track.name)
            column.clips = DemoSet.loops.filter { $0.track == track.id }.map { loop in
                var clip = ClipDocument(id: loop.id, name: loop.name, file: file(of: loop), slot: loop.slot)
                clip.bpm = loop.bpm
                clip.beats = Double(loop.beats)
                clip.playback = .stretch
                clip.stretchMode = loop.track == "drums" ? .beats : .complex
                clip.color = loop.color
                return clip
            }
            return column
        }
        document.scenes = DemoSet.sceneNames.map(SceneDocument.init(name:))
        return document
    }

    /// A performance of a minute: every scene, and a tempo that moves while they play.
    ///
    /// The lift is faster, and in the same key.
    package static var tour: PerformanceScript {
        func entry(_ seconds: Double, _ action: ScriptAction) -> ScriptEntry {
            ScriptEntry(time: .seconds(seconds), action: action)
        }
        var script = PerformanceScript()
        script.entries = [
            entry(0, .launchScene(0)), entry(14.5, .launchScene(1)), entry(30.5, .tempo(bpm: 128, ramp: 8)),
            entry(31, .launchScene(2)), entry(46, .launchScene(3)), entry(54, .tempo(bpm: 120, ramp: 4)),
            entry(58, .stopAll),
        ]
        return script
    }
}

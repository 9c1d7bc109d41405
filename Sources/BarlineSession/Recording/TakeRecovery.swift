import BarlineFiles
import BarlineTime
import Foundation

/// A recording whose program was killed: its repaired files, until the user keeps or discards it.
package struct RecoveredTake: Hashable, Sendable {
    /// What its files are called.
    package let name: String
    /// Its script, its sound, or both.
    package let files: [RecordedFile]
    /// How long it is.
    package let seconds: Double

    /// The slot that it was recorded into; `nil` for a recording of the performance, and for a layer.
    let place: TakeOrigin.Place?

    fileprivate let journal: String
    /// The folder of its strips, which may not be there.
    fileprivate let strips: String

    /// Lets it be a recording as any other.
    ///
    /// - Throws: ``SessionError`` where the folder can't be written to.
    package func keep() throws(SessionError) { try TakeRecovery.remove(journal) }

    /// Deletes it, but for files that are used: those stay, as any other recordings.
    ///
    /// - Throws: ``SessionError`` where the folder can't be written to.
    package func discard(unless isUsed: (String) -> Bool = { _ in false }) throws(SessionError) {
        for file in files where !isUsed(file.path) { try TakeRecovery.remove(file.path) }
        rmdir(strips)
        try TakeRecovery.remove(journal)
    }
}

/// Finds recordings that were broken off, and mends them.
package enum TakeRecovery {
    /// The takes in a library that were broken off and that nobody has kept or thrown away yet, the oldest first. Those
    /// of a program that still runs are none, and those whose folder is not there, as on a disk that is away, wait.
    ///
    /// - Parameters:
    ///   - library: the library.
    ///   - session: the session that is open, whose folder may have been moved since; `nil` for none.
    /// - Returns: the takes.
    package static func takes(in library: SessionLibrary, for session: String? = nil) -> [RecoveredTake] {
        let folder = library.recordings
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let takes = names.filter { $0.hasSuffix(TakeJournal.suffix) }.map {
            String($0.dropLast(TakeJournal.suffix.count))
        }
        return takes.sorted().compactMap { take($0, in: folder, for: session) }
    }

    private static func take(_ name: String, in folder: URL, for session: String?) -> RecoveredTake? {
        let paths = TakePaths(name, in: folder)
        let descriptor = open(paths.journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Who records it holds the lock.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        var take = TakeJournal.take(paths.journal, named: name)
        if let known = take, !hasFolder(known.file) {
            guard let session, let file = moved(known.file, to: session) else { return nil }
            take?.file = file
            take?.origin.place?.session = session
        }
        let audio = take?.file ?? paths.audio
        evenOut([audio] + paths.stripFiles)
        let sound = (try? TakeFile.repair(audio) { take?.origin.chunks(frames: $0, $1) }) ?? nil
        let script = take == nil ? script(paths, frames: sound?.frames) : nil
        var files: [(path: String, seconds: Double)] = []
        let scriptSeconds = script.flatMap(\.beginning).map { $0.sampleRate.seconds(frames: $0.frames ?? 0) }
        let seconds = sound.map { $0.sampleRate.seconds(frames: $0.frames) } ?? scriptSeconds ?? 0
        if script != nil { files.append((paths.script, seconds)) }
        if let sound, sound.frames > 0 { files.append((audio, seconds)) }
        // What was played during a layer.
        for path in paths.stripFiles + (take.map { [TakePaths.played(of: $0.file)] } ?? []) {
            guard let strip = (try? TakeFile.repair(path)) ?? nil else { continue }
            files.append((path, strip.sampleRate.seconds(frames: strip.frames)))
        }
        guard !files.isEmpty else {
            // It was killed before there was anything.
            for path in [paths.journal, audio] { unlink(path) }
            rmdir(paths.strips)
            return nil
        }
        return RecoveredTake(
            name: name, files: files.map { RecordedFile(path: $0.path, seconds: $0.seconds, in: folder) },
            seconds: seconds, place: sound == nil ? nil : take?.origin.place, journal: paths.journal,
            strips: paths.strips)
    }

    private static func hasFolder(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Where a take's file is, if its session's folder was renamed, and is that of `session` now.
    private static func moved(_ path: String, to session: String) -> String? {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let file = SessionLibrary.uploads(beside: session).appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// Makes the files of a performance equally long: of some more had come to the disk than of others.
    private static func evenOut(_ files: [String]) {
        if files.count < 2 { return }
        let parts = files.compactMap { path in
            ((try? TakeFile.repair(path)) ?? nil).map { (path: path, frames: $0.frames, rate: $0.sampleRate) }
        }
        let longest = Dictionary(parts.map { ($0.rate, $0.frames) }, uniquingKeysWith: max)
        for part in parts { _ = try? TakeFile.repair(part.path, atLeast: longest[part.rate] ?? 0) }
    }

    /// The script of a take; made of the journal where there is none yet.
    private static func script(_ paths: TakePaths, frames: Int64?) -> PerformanceScript? {
        if let script = try? PerformanceScript(path: paths.script) { return script }
        guard let data = try? SessionFile.read(paths.journal),
            var script = try? PerformanceScript(journal: String(decoding: data, as: UTF8.self), path: paths.journal),
            let beginning = script.beginning
        else { return nil }
        let last = script.entries.compactMap { $0.time.frame(at: .standard)?.rawValue }.max() ?? 0
        let known = frames ?? max(0, last + 1)
        script.beginning?.frames = .max
        script = script.shortened(to: known)
        guard (try? script.write(to: paths.script, at: beginning.sampleRate)) != nil else { return nil }
        return script
    }

    fileprivate static func remove(_ path: String) throws(SessionError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .file(path: path, reason: "can't be deleted: \(String(cString: strerror(errno)))")
        }
    }
}

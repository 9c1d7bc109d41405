import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Dispatch
import Foundation
import Synchronization

/// Writes takes into files while they are recorded, so that a program that is killed loses a second of them at most.
///
/// As long as no document on the disk has a take's clip, a journal in the library names its file: where the program is
/// killed, the next one offers it (``TakeRecovery``). A file has half a second more at both ends than the clip, whose
/// `start` and `end` say where it lies: a latency that turns out to be another one moves the clip, and loses nothing.
/// Without a folder nothing is written.
package final class TakeKeeper: Sendable {
    struct State {
        var folder: (@Sendable () -> URL)?
        /// Where the journals are.
        var journals: URL?
        /// The files of takes that are whole, and whose journals are still there: what is in memory is not kept for them.
        var whole: [(path: String, journal: TakeJournal)] = []
        /// The document that is on the disk; `nil` where none is known.
        var saved: SessionDocument?
        /// How the document names a path.
        var name: (@Sendable (String) -> String)?
        /// The session's file, and the tempo and the metre while the transport rolls.
        var circumstances: (@Sendable () -> Circumstances)?
        var open: [OpenTake] = []
        /// Takes that are not written, by the names that documents have for them, and layers by those of what was
        /// played.
        var unwritten: [String: TakeHandle] = [:]
        var unwrittenPlayed: [String: TakeHandle] = [:]
        var problems: [String] = []
        var isWriting = false
        /// Where names are claimed.
        var claimFolder: URL?
        /// Names that were claimed just now.
        var claims: [Claim] = []
    }

    /// A take that is not finished; what it has of its file is the queue's.
    final class OpenTake: @unchecked Sendable {
        let handle: TakeHandle
        var path: String
        var file: TakeFile?
        /// Where what was played is written, and its file, if it is a layer.
        var playedPath: String?
        var playedFile: TakeFile?
        /// `nil` for a layer.
        let slot: Slot?
        var journal: TakeJournal?
        /// What its journal says of the tempo.
        var grid: TakeOrigin.Grid?
        var isDone = false
        /// When its header was brought up to date, or writing it was tried in vain.
        var updated = 0.0
        var hasFailed = false
        /// Whether it is not tried again for now.
        var isHeld = false

        /// Whether it is offered by the next start where the program is killed: something was recorded, and nobody has
        /// taken that back.
        var isWanted: Bool { !handle.isCancelled && !handle.isEmpty }

        init(_ handle: TakeHandle, path: String, playedPath: String?, slot: Slot?) {
            self.handle = handle
            self.path = path
            self.playedPath = playedPath
            self.slot = slot
        }
    }

    private static let updateSeconds = 1.0
    /// How long a take's last frames are waited for, which are late by no more than its input: 50 times this.
    private static let pollInterval = Duration.milliseconds(10)
    private static let mostPolls = 50
    let state = Mutex(State())
    let queue = DispatchQueue(label: "barline.takes", qos: .utility)

    init() {}

    /// Writes takes into a folder from now on.
    ///
    /// - Parameters:
    ///   - folder: returns the folder, which is made where it is missing.
    ///   - journals: where journals are kept.
    ///   - claims: where names are kept from other programs that begin a take within the same second.
    ///   - name: what the document calls a path.
    ///   - circumstances: what journals say of the session.
    func write(
        into folder: @escaping @Sendable () -> URL, journals: URL, claims: URL,
        name: @escaping @Sendable (String) -> String,
        circumstances: @escaping @Sendable () -> Circumstances
    ) {
        state.withLock { state in
            (state.folder, state.journals, state.name) = (folder, journals, name)
            (state.circumstances, state.claimFolder) = (circumstances, claims)
        }
        TakeKeeper.removeOldClaims(in: claims)
    }

    /// Whether takes are written into files.
    var isWriting: Bool { state.withLock { $0.folder != nil } }

    /// Whether the file of a take is whole; `nil` while it is written, `false` if it could not be so far.
    func isWritten(_ path: String) -> Bool? {
        state.withLock { state in
            guard let take = state.open.first(where: { $0.path == path }) else { return true }
            return take.hasFailed ? false : nil
        }
    }

    /// A document is on the disk: what it names need not be rescued.
    func noteSaved(_ document: SessionDocument) {
        state.withLock { $0.saved = document }
        removeSavedJournals()
    }

    /// Removes the journals of takes that the document on the disk names. It is looked through where there are such
    /// only.
    private func removeSavedJournals() {
        guard let saved = state.withLock({ $0.whole.isEmpty ? nil : $0.saved }) else { return }
        let names = Set(saved.tracks.flatMap(\.clips).flatMap(\.files).map(TakeKeeper.fileName))
        removeJournals { names.contains($0) }
    }

    private static func fileName(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private func removeJournals(where isRedundant: @Sendable (String) -> Bool) {
        let redundant = state.withLock { state in
            let redundant = state.whole.filter { isRedundant(TakeKeeper.fileName($0.path)) }
            state.whole.removeAll { isRedundant(TakeKeeper.fileName($0.path)) }
            return redundant
        }
        for take in redundant { take.journal.remove() }
    }

    /// What could not be written since this was asked the last time.
    func takeProblems() -> [String] {
        state.withLock { state in
            defer { state.problems = [] }
            return state.problems
        }
    }

    /// What a document calls the files of a take: its own, and for a layer that of what was played.
    struct Names: Hashable {
        let file: String
        let played: String?
        /// Their paths; `nil` where nothing is written.
        var path: String?
        var playedPath: String?
    }

    /// What the document calls files now: it may have moved to another folder since they were begun.
    func names(of files: Names) -> Names {
        guard let path = files.path, let name = state.withLock({ $0.name }) else { return files }
        return Names(
            file: name(path), played: files.playedPath.map(name), path: path, playedPath: files.playedPath)
    }

    /// Registers a take.
    ///
    /// - Parameters:
    ///   - handle: the take.
    ///   - id: what it is called where no files are written.
    ///   - title: what its file is called, with the time.
    ///   - slot: the slot that it is recorded into; `nil` for a layer.
    /// - Returns: the names of its files as a document has them.
    func add(_ handle: TakeHandle, named id: String, title: String, slot: Slot? = nil) -> Names {
        guard let folder = state.withLock({ $0.folder })?() else {
            let names = Names(file: "takes/\(id).wav", played: handle.hasPlayed ? "takes/\(id) input.wav" : nil)
            state.withLock { state in
                state.unwritten[names.file] = handle
                if let played = names.played { state.unwrittenPlayed[played] = handle }
            }
            return names
        }
        let (path, playedPath) = state.withLock { state -> (String, String?) in
            let path = freePath(title, in: folder, &state)
            let playedPath = handle.hasPlayed ? TakePaths.played(of: path) : nil
            state.open.append(OpenTake(handle, path: path, playedPath: playedPath, slot: slot))
            return (path, playedPath)
        }
        return names(of: Names(file: path, played: playedPath, path: path, playedPath: playedPath))
    }

    /// Forgets a take that has not begun: nothing of it is written.
    func forget(_ files: Names) {
        state.withLock { state in
            state.open.removeAll { $0.path == files.path && $0.handle.start == nil }
            state.unwritten[files.file] = nil
        }
    }

    /// Writes samples into a file of their own, whole, beside those of the takes.
    ///
    /// - Parameters:
    ///   - samples: what is written.
    ///   - chunks: what the file says beside it.
    ///   - title: what it is called, with the time.
    /// - Returns: the file, and its name as a document has it.
    /// - Throws: `AudioFileError` where it can't be written; there is no file then.
    func store(
        _ samples: SampleBuffer, _ chunks: TakeChunks, title: String
    ) throws(AudioFileError) -> (path: String, name: String) {
        let (folder, name) = state.withLock { ($0.folder, $0.name) }
        guard let folder = folder?() else {
            throw .cannotWrite(path: "\(title).wav", reason: "there is no folder for it")
        }
        let path = state.withLock { freePath(title, in: folder, &$0) }
        let file = try TakeFile(path: path, sampleRate: samples.sampleRate, makesFolder: true)
        do throws(AudioFileError) {
            try file.append(samples)
            try file.close(with: chunks)
        } catch {
            try? file.close()
            unlink(path)
            throw error
        }
        return (path, name?(path) ?? path)
    }

    /// Finds what a take has in memory whose file is not whole yet, or not to be written. Its last frames are waited
    /// for.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - name: what the document calls it.
    ///   - isWhole: whether its margin is waited for too.
    /// - Returns: the samples; `nil` where the file has them.
    func audio(of path: String, named name: String, isWhole: Bool = false) async -> AudioClip? {
        let (handle, isPlayed) = state.withLock { state -> (TakeHandle?, Bool) in
            if let take = state.open.first(where: { !$0.isDone && ($0.path == path || $0.playedPath == path) }) {
                return (take.handle, take.playedPath == path)
            }
            if let played = state.unwrittenPlayed[name] { return (played, true) }
            return (state.unwritten[name], false)
        }
        guard let handle, let result = handle.result else { return nil }
        // They come while the take plays already; from an engine that stands still they don't.
        var polls = 0
        let waitsLonger = isWhole || isPlayed
        let mostPolls = TakeKeeper.mostPolls * (waitsLonger ? 2 : 1)
        while !(waitsLonger ? handle.isFinished : handle.isWhole), polls < mostPolls {
            polls += 1
            try? await Task.sleep(for: TakeKeeper.pollInterval)
        }
        guard let samples = isPlayed ? handle.played : handle.samples(atLeast: result.region.upperBound) else {
            return nil
        }
        return AudioClip(path: path, samples: samples, metadata: AudioMetadata())
    }

    /// Has what was recorded since the last call written, on a queue of its own; to be called often.
    func keep() {
        let isNeeded = state.withLock { state in
            if state.open.isEmpty || state.isWriting { return false }
            state.isWriting = true
            return true
        }
        if isNeeded { queue.async { [self] in write(updates: false) } }
    }

    /// Writes what there is, with headers that say so, and waits for it.
    package func finish() {
        queue.sync { write(updates: true) }
    }

    /// The program ends as it should: what has its length is completed as far as it has come, and need not be rescued.
    /// What is recorded still is offered by the next start. A take that its disk has no room for is written where the
    /// journals are.
    ///
    /// - Returns: what became of such takes.
    func end() -> [SessionError] {
        queue.sync { write(updates: true, isLast: true) }
        let (failed, folder) = state.withLock { state in (state.open.filter(\.hasFailed), state.journals) }
        let problems = failed.compactMap { take in TakeKeeper.rescue(take, into: folder) }
        state.withLock { releaseClaims(&$0, isLast: true) }
        removeJournals { _ in true }
        return problems
    }

    /// Writes a take that has ended into another folder, whole.
    private static func rescue(_ take: OpenTake, into folder: URL?) -> SessionError? {
        guard let result = take.handle.result else { return nil }
        let samples = take.handle.samples(atLeast: result.region.upperBound)
        let name = URL(fileURLWithPath: take.path).lastPathComponent
        guard let path = folder?.appendingPathComponent(name).path, !FileManager.default.fileExists(atPath: path) else {
            return .file(path: take.path, reason: "can't be written: what it lacks is lost")
        }
        do throws(AudioFileError) {
            let file = try TakeFile(path: path, sampleRate: samples.sampleRate, makesFolder: true)
            try file.append(samples)
            try file.close()
            return .file(path: take.path, reason: "can't be written: the whole take is in \(path)")
        } catch {
            unlink(path)
            return .file(path: take.path, reason: "can't be written: what it lacks is lost")
        }
    }

    private func write(updates: Bool, isLast: Bool = false) {
        var problems: [String] = []
        for take in state.withLock({ $0.open }) where !take.isHeld {
            take.handle.prepareMemory()
            let isLate = updates || MonotonicClock.now - take.updated >= TakeKeeper.updateSeconds
            // What can't be written stays in memory, and is tried again.
            if take.hasFailed, !isLate { continue }
            do throws(AudioFileError) {
                try TakeKeeper.write(take, isLate: isLate, isLast: isLast)
                if take.isWanted {
                    if take.journal == nil, take.file != nil { take.journal = journal(of: take) }
                    if isLate { noteTempo(of: take) }
                } else {
                    take.journal?.remove()
                    take.journal = nil
                }
                take.hasFailed = false
            } catch {
                if !take.hasFailed { problems.append("\(error)") }
                take.hasFailed = true
                take.updated = MonotonicClock.now
            }
        }
        let reported = problems
        state.withLock { state in
            for take in state.open where take.isDone { state.whole += take.journal.map { [(take.path, $0)] } ?? [] }
            state.open.removeAll(where: \.isDone)
            state.problems += reported
            state.isWriting = false
            releaseClaims(&state)
        }
        removeSavedJournals()
    }

    /// Notes where a take is written, and where it is recorded; `nil` where that can't be.
    private func journal(of take: OpenTake) -> TakeJournal? {
        let (folder, circumstances) = state.withLock { ($0.journals, $0.circumstances) }
        guard let folder else { return nil }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = URL(fileURLWithPath: take.path).deletingPathExtension().lastPathComponent
        let journal = try? TakeJournal(path: TakePaths(name, in: folder).journal)
        let origin = TakeOrigin(take.handle, in: take.slot, circumstances?())
        take.grid = origin.grid
        do throws(SessionError) { try journal?.begin(take: take.path, origin) } catch { journal?.remove() }
        return journal
    }

    /// Notes in the journal of a take whose end is open that the tempo has changed.
    private func noteTempo(of take: OpenTake) {
        guard take.grid != nil, take.handle.isRecording, let now = state.withLock({ $0.circumstances })?(),
            now.grid != take.grid
        else { return }
        take.grid = nil
        try? take.journal?.noteOtherTempo()
    }

    private static func write(_ take: OpenTake, isLate: Bool, isLast: Bool) throws(AudioFileError) {
        guard let start = take.handle.start else { return }
        // Looked at first: what is finished has no more to come.
        let isFinished = take.handle.isFinished || (isLast && take.handle.result != nil)
        if isFinished, take.handle.isEmpty {
            // What was not recorded is not kept.
            take.isDone = true
            for (file, path) in [(take.file, String?(take.path)), (take.playedFile, take.playedPath)] {
                try file?.close()
                if file != nil, let path { unlink(path) }
            }
            return
        }
        if take.file == nil {
            // Of a layer that has hardly begun nothing may come.
            if !isFinished, take.handle.hasNothingYet { return }
            take.file = try TakeFile(path: take.path, sampleRate: start.sampleRate, makesFolder: true)
        }
        if take.playedFile == nil, let path = take.playedPath, !take.handle.isChange {
            take.playedFile = try TakeFile(path: path, sampleRate: start.sampleRate)
        }
        guard let file = take.file else { return }
        try file.append(take.handle)
        try take.playedFile?.append(playedDuring: take.handle)
        if isFinished {
            // What an output that was lost did not provide any more is silence.
            if let end = take.handle.result?.region.upperBound { try file.append(silence: Int64(end) - file.frames) }
            try file.replaceLead(of: take.handle)
            try take.playedFile?.close(
                with: TakeChunks(
                    timeReference: start.frame.rawValue - Int64(take.handle.margin), sampleRate: start.sampleRate,
                    gaps: []))
            try file.close(with: TakeChunks(take.handle, margin: take.handle.margin))
            take.handle.prepareMemory()
            take.isDone = true
        } else if isLate {
            take.updated = MonotonicClock.now
            try take.playedFile?.update()
            try file.update()
        }
    }
}

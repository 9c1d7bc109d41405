import BarlineEngine
import BarlineFiles
import BarlineTime
import Dispatch
import Foundation
import Synchronization

/// Writes takes into files while they are recorded, so that a program that is killed loses a second of them at most.
///
/// A file has half a second more at both ends than the clip, whose `start` and `end` say where it lies: a latency that turns out to be
/// another one moves the clip, and loses nothing. Without a folder nothing is written.
package final class TakeKeeper: Sendable {
    private struct State {
        var folder: (@Sendable () -> URL)?
        /// How the document names a path.
        var name: (@Sendable (String) -> String)?
        var open: [OpenTake] = []
        /// Takes that are not written, by the names that documents have for them.
        var unwritten: [String: TakeHandle] = [:]
        var problems: [String] = []
        var isWriting = false
    }

    /// A take that is not finished; what it has of its file is the queue's.
    private final class OpenTake: @unchecked Sendable {
        let handle: TakeHandle
        let path: String
        var file: TakeFile?
        var isDone = false
        /// When its header was brought up to date, or writing it was tried in vain.
        var updated = 0.0
        var hasFailed = false

        init(_ handle: TakeHandle, path: String) {
            self.handle = handle
            self.path = path
        }
    }

    private static let updateSeconds = 1.0
    /// How long a take's last frames are waited for, which are late by no more than its input: 50 times this.
    private static let turn = Duration.milliseconds(10)
    private static let longestTurns = 50
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "barline.takes", qos: .utility)

    init() {}

    /// Writes takes into a folder from now on.
    ///
    /// - Parameters:
    ///   - folder: gives the folder, which is made where it is missing.
    ///   - name: what the document calls a path.
    func write(into folder: @escaping @Sendable () -> URL, name: @escaping @Sendable (String) -> String) {
        state.withLock { ($0.folder, $0.name) = (folder, name) }
    }

    /// What could not be written since this was asked the last time.
    package func takeProblems() -> [String] {
        state.withLock { state in
            defer { state.problems = [] }
            return state.problems
        }
    }

    /// Takes a take on, and gives the name of its file as a document has it.
    func add(_ handle: TakeHandle, named id: String) -> String {
        let (folder, name) = state.withLock { ($0.folder, $0.name) }
        guard let folder = folder?() else {
            let name = "takes/\(id).wav"
            state.withLock { $0.unwritten[name] = handle }
            return name
        }
        let path = folder.appendingPathComponent("take-\(UUID().uuidString.lowercased()).wav").path
        state.withLock { $0.open.append(OpenTake(handle, path: path)) }
        return name?(path) ?? path
    }

    /// What a take has in memory whose file is not whole yet, or not to be written; `nil` where the file has it. Its last frames are waited for.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - name: what the document calls it.
    func audio(of path: String, named name: String) async -> AudioClip? {
        let handle = state.withLock { state in
            state.open.first { !$0.isDone && $0.path == path }?.handle ?? state.unwritten[name]
        }
        guard let handle, let result = handle.result else { return nil }
        // They come while the take plays already; from an engine that stands still they don't.
        var turns = 0
        while !handle.isWhole, turns < TakeKeeper.longestTurns {
            turns += 1
            try? await Task.sleep(for: TakeKeeper.turn)
        }
        return AudioClip(
            path: path, samples: handle.samples(atLeast: result.region.upperBound), metadata: AudioMetadata())
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

    private func write(updates: Bool) {
        var problems: [String] = []
        for take in state.withLock({ $0.open }) {
            take.handle.prepareMemory()
            let isLate = updates || MonotonicClock.now - take.updated >= TakeKeeper.updateSeconds
            // What can't be written stays in memory, and is tried again.
            if take.hasFailed, !isLate { continue }
            do throws(AudioFileError) {
                try TakeKeeper.write(take, isLate: isLate)
                take.hasFailed = false
            } catch {
                if !take.hasFailed { problems.append("\(error)") }
                take.hasFailed = true
                take.updated = MonotonicClock.now
            }
        }
        let told = problems
        state.withLock { state in
            state.open.removeAll { $0.isDone }
            state.problems += told
            state.isWriting = false
        }
    }

    private static func write(_ take: OpenTake, isLate: Bool) throws(AudioFileError) {
        guard let start = take.handle.start else { return }
        // Looked at first: what is finished has no more to come.
        let isFinished = take.handle.isFinished
        if take.file == nil {
            let folder = URL(fileURLWithPath: take.path).deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            take.file = try TakeFile(path: take.path, sampleRate: start.sampleRate)
        }
        guard let file = take.file else { return }
        try file.append(take.handle)
        if isFinished {
            try file.close(with: TakeChunks(take.handle, margin: take.handle.margin))
            take.isDone = true
        } else if isLate {
            take.updated = MonotonicClock.now
            try file.update()
        }
    }
}

extension TakeFile {
    /// Appends what was recorded since.
    fileprivate func append(_ handle: TakeHandle) throws(AudioFileError) {
        let piece = 48_000
        while true {
            let result: Result<Int, AudioFileError> = handle.withSamples(from: Int(frames)) { left, right in
                let count = min(piece, left.count)
                if count == 0 { return .success(0) }
                do throws(AudioFileError) {
                    try write(
                        left: UnsafeBufferPointer(rebasing: left[..<count]),
                        right: UnsafeBufferPointer(rebasing: right[..<count]))
                    return .success(count)
                } catch {
                    return .failure(error)
                }
            }
            if try result.get() == 0 { return }
        }
    }
}

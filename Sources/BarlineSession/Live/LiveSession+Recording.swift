import BarlineEngine
import BarlineTime
import Foundation

extension LiveSession {
    /// What a recording under way is.
    public struct RecordingStatus: Hashable, Sendable {
        /// Its first frame.
        public let since: FrameTime
        /// Whether the main output is recorded too.
        public let isOfAudio: Bool
        /// What its files will be called.
        public let name: String
    }

    /// The recording under way.
    public var recording: RecordingStatus? {
        state.withLock { state in
            state.recorder.map { RecordingStatus(since: state.recordsSince, isOfAudio: $0.isOfAudio, name: $0.name) }
        }
    }

    /// The recordings that were made since the program began, the latest one last.
    public var recordings: [Recording] { state.withLock { $0.recordings } }

    func startRecording(audio: Bool, _ source: String) throws(SessionError) {
        if recording != nil {
            throw .unsupported(path: source, key: "on", what: "a recording is under way")
        }
        player.holdHistory()
        let now = player.engine.state
        let recorder: PerformanceRecorder
        do throws(SessionError) {
            recorder = try PerformanceRecorder(
                name: try freshName(), folder: library.recordings, sampleRate: now.sampleRate, audio: audio)
        } catch {
            player.releaseHistory()
            throw error
        }
        // It begins with the frame that was not handed over yet: nothing of the sound is missing, and what is done from now
        // on is on a later frame.
        state.withLock { state in
            state.recorder = recorder
            state.recordsSince = state.tapFrame ?? now.frame
        }
    }

    /// A name that no recording has yet: two may begin within a second.
    private func freshName() throws(SessionError) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH.mm.ss"
        let stem = "Take \(formatter.string(from: Date()))"
        var name = stem
        var number = 2
        while FileManager.default.fileExists(atPath: library.recordings.appendingPathComponent(name + ".jsonl").path) {
            name = "\(stem) (\(number))"
            number += 1
        }
        return name
    }

    /// What the client that ended a recording is told of it.
    static func result(of files: [Recording]) -> [String: JSONValue] {
        guard let last = files.last else { return [:] }
        return [
            "recordings": .array(files.map { .string($0.name) }),
            "folder": .string(URL(fileURLWithPath: last.path).deletingLastPathComponent().path),
            "seconds": .number(last.seconds),
        ]
    }

    /// Waits until it is known on which frame everything was done; not for ever, for a device may be lost.
    func settleRecording() async {
        for _ in 0..<LiveSession.settlingSteps where player.history.withLock({ $0.isWaiting }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private static let settlingSteps = 50

    /// Ends the recording that is under way.
    ///
    /// - Returns: its files.
    @discardableResult
    func stopRecording(_ source: String) throws(SessionError) -> [Recording] {
        let (recorder, since, end) = state.withLock { state in
            defer { state.recorder = nil }
            return (state.recorder, state.recordsSince, state.tapFrame)
        }
        guard let recorder else {
            throw .unsupported(path: source, key: "on", what: "no recording is under way")
        }
        defer { player.releaseHistory() }
        let until = max(since, end ?? player.engine.state.frame)
        let script = player.history.withLock { $0.script(since: since, until: until, isComplete: true) }
        let rate = script.beginning?.sampleRate ?? player.engine.state.sampleRate
        let seconds = rate.seconds(frames: until - since)
        var made: [Recording] = []
        for path in try recorder.finish(script, sampleRate: rate) {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
            made.append(
                Recording(
                    name: (path as NSString).lastPathComponent, path: path, bytes: size ?? 0, seconds: seconds))
        }
        state.withLock { $0.recordings += made }
        return made
    }

    /// Takes in what was played; to be called with everything that the engine's tap gives.
    ///
    /// - Parameters:
    ///   - left: the left channel of the main output.
    ///   - right: the right one, as long.
    ///   - frame: the first one's frame.
    public func takeAudio(left: [Float], right: [Float], frame: FrameTime) {
        let recorder = state.withLock { state in
            state.tapFrame = frame + Int64(left.count)
            return state.recorder
        }
        recorder?.add(left: left, right: right)
    }

    /// Ends what is under way, at the end of the program.
    public func finish() throws(SessionError) {
        if recording != nil { try stopRecording("record") }
        try autosave()
    }
}

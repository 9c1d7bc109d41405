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
        let now = player.engine.state
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH.mm.ss"
        let isShared = player.isRecording
        let recorder = try PerformanceRecorder(
            name: "Take \(formatter.string(from: Date()))", folder: library.recordings,
            sampleRate: now.sampleRate, audio: audio, isShared: isShared)
        if !isShared { player.startRecording() }
        // It begins with the frame that was not handed over yet: nothing of the sound is missing, and what is done from now
        // on is on a later frame.
        state.withLock { state in
            state.recorder = recorder
            state.recordsSince = state.tapFrame ?? now.frame
        }
    }

    func stopRecording(_ source: String) throws(SessionError) {
        guard
            let recorder = state.withLock({ state in
                defer { state.recorder = nil }
                return state.recorder
            })
        else {
            throw .unsupported(path: source, key: "on", what: "no recording is under way")
        }
        let script = player.recordedScript
        if !recorder.isShared { player.stopRecording() }
        let rate = player.engine.state.sampleRate
        for path in try recorder.finish(script, since: state.withLock { $0.recordsSince }, sampleRate: rate) {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
            let entry = Recording(name: (path as NSString).lastPathComponent, path: path, bytes: size ?? 0)
            state.withLock { $0.recordings.append(entry) }
        }
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

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
            state.recorder.map { RecordingStatus(since: $0.since, isOfAudio: $0.isOfAudio, name: $0.name) }
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
        let recorder = try PerformanceRecorder(
            name: "Take \(formatter.string(from: Date()))", folder: library.recordings, since: now.frame,
            sampleRate: now.sampleRate, audio: audio, isShared: player.isRecording)
        if !recorder.isShared { player.startRecording() }
        state.withLock { $0.recorder = recorder }
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
        for path in try recorder.finish(script, sampleRate: player.engine.state.sampleRate) {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
            let entry = Recording(name: (path as NSString).lastPathComponent, path: path, bytes: size ?? 0)
            state.withLock { $0.recordings.append(entry) }
        }
    }

    /// Takes in what was played; to be called with everything that the engine's tap gives.
    public func takeAudio(left: [Float], right: [Float]) {
        state.withLock { $0.recorder }?.add(left: left, right: right)
    }

    /// Ends what is under way, at the end of the program.
    public func finish() throws(SessionError) {
        if recording != nil { try stopRecording("record") }
        try autosave()
    }
}

import BarlineEngine
import BarlineTime
import Foundation

/// Recordings of every strip.
extension LiveSession {
    /// Begins to record what is done, the main output and every strip, to files in the library.
    ///
    /// - Parameter source: what errors call who asks.
    /// - Throws: ``SessionError`` where the files can't be made.
    package func recordTracks(_ source: String) throws(SessionError) {
        try startRecording(audio: true, tracks: true, source)
        state.withLock { $0.revision += 1 }
    }

    /// Has the engine capture every strip of the session, from the next block on.
    func recordStrips(_ source: String) throws(SessionError) {
        let strips = player.bound.withLock { $0.strips }
        do throws(EngineError) {
            let recording = try player.engine.mixer.record(strips.map(\.strip))
            state.withLock { state in
                state.strips = RecordedStrips(strips: strips, recording: recording)
                state.isAboutToRecordStrips = true
            }
        } catch {
            throw .engine(path: source, key: "tracks", error)
        }
    }

    /// Ends the capture of strips that nothing records.
    func endStripsUnlessNeeded() {
        let isRedundant = state.withLock { state in
            let isNeeded =
                state.isAboutToRecordStrips || state.recorder?.isOfTracks == true
                || state.endings.contains { $0.recorder.isOfTracks }
            if isNeeded || state.strips == nil { return false }
            state.strips = nil
            return true
        }
        guard isRedundant else { return }
        do throws(EngineError) {
            try player.engine.mixer.endRecording()
        } catch {
            // The rings run full, and the next recording replaces them.
            state.withLock { $0.notices.append(SessionNotice("\(error)")) }
        }
    }

    /// Fixes the end of a recording under way, and waits until what was played before it has come through the inputs;
    /// not for ever, for a device may be lost.
    func awaitInputs() async {
        let due = state.withLock { state -> FrameTime? in
            guard let recorder = state.recorder, recorder.lateness > 0, let end = state.tapFrame else { return nil }
            recorder.until = end
            return end + recorder.lateness
        }
        guard let due else { return }
        for _ in 0..<LiveSession.inputSteps where state.withLock({ ($0.tapFrame ?? due) < due }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private static let inputSteps = 50
}

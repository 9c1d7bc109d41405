import BarlineEngine
import BarlineTime
import Foundation

extension LiveSession {
    /// The status of a recording under way.
    package struct RecordingStatus: Hashable, Sendable {
        /// Its first frame.
        package let since: FrameTime
        /// Whether the main output is recorded too.
        package let isOfAudio: Bool
        /// Whether every strip is recorded too, to a file of its own.
        package let isOfTracks: Bool
        /// What its files will be called.
        package let name: String
    }

    /// The recording under way.
    package var recording: RecordingStatus? {
        state.withLock { state in
            state.recorder.map {
                RecordingStatus(
                    since: $0.since, isOfAudio: $0.isOfAudio, isOfTracks: $0.isOfTracks, name: $0.name)
            }
        }
    }

    /// The recordings that were made since the program began, the latest one last.
    package var recordings: [Recording] { state.withLock { $0.recordings } }

    func startRecording(audio: Bool, tracks: Bool, _ source: String) throws(SessionError) {
        if recording != nil {
            throw .unsupported(path: source, key: "on", what: "a recording is under way")
        }
        player.holdHistory()
        let recorder: PerformanceRecorder
        do throws(SessionError) {
            if tracks { try recordStrips(source) }
            recorder = try makeRecorder(sampleRate: player.history.withLock { $0.sampleRate }, audio, tracks)
        } catch {
            state.withLock { $0.isAboutToRecordStrips = false }
            endStripsUnlessNeeded()
            player.releaseHistory()
            throw error
        }
        state.withLock { state in
            // It begins with the frame that was not handed over yet: nothing of the sound is missing, and what is done
            // from now on is on a later frame. Strips begin with the next block, and it begins with them.
            recorder.begin(at: state.tapFrame ?? player.engine.state.frame)
            state.recorder = recorder
            state.isAboutToRecordStrips = false
        }
    }

    private func makeRecorder(
        sampleRate: SampleRate, _ audio: Bool, _ tracks: Bool, after former: PerformanceRecorder? = nil
    ) throws(SessionError) -> PerformanceRecorder {
        try PerformanceRecorder(
            name: try unusedName(), folder: library.recordings, sampleRate: sampleRate, audio: audio,
            strips: tracks ? state.withLock { $0.strips } : nil, after: former)
    }

    /// The rate of the output changes: the recording under way ends with the frame before, and another one continues: a
    /// file has one rate and a script counts in it. To be called before the history is counted in the new one.
    func divideRecording(at frame: FrameTime, _ sampleRate: SampleRate) {
        guard let recorder = state.withLock({ $0.recorder }) else { return }
        let script = player.history.withLock { $0 }.script(since: recorder.since, until: frame, isComplete: true)
        let next = Result { () throws(SessionError) in
            try makeRecorder(sampleRate: sampleRate, recorder.isOfAudio, recorder.isOfTracks, after: recorder)
        }
        state.withLock { state in
            // It may have been ended meanwhile.
            guard state.recorder === recorder else { return }
            recorder.until = frame
            state.endings.append(EndingTake(recorder: recorder, script: script, until: frame))
            state.recorder = nil
            state.revision += 1
            switch next {
            case .success(let next):
                next.begin(at: frame)
                state.recorder = next
            case .failure(let error):
                state.notices.append(SessionNotice(error))
                player.releaseHistory()
            }
        }
    }

    /// A name that no recording has yet: two may begin within a second.
    private func unusedName() throws(SessionError) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH.mm.ss"
        let stem = "Take \(formatter.string(from: Date()))"
        var name = stem
        var number = 2
        while TakePaths(name, in: library.recordings).areUsed {
            name = "\(stem) (\(number))"
            number += 1
        }
        return name
    }

    /// What the client that ended a recording is sent.
    static func result(of recording: (files: [Recording], seconds: Double)) -> [String: JSONValue] {
        let files = recording.files
        guard let first = files.first else { return [:] }
        return [
            "recordings": .array(files.map { .string($0.name) }),
            "folder": .string(URL(fileURLWithPath: first.path).deletingLastPathComponent().path),
            "seconds": .number(recording.seconds),
        ]
    }

    /// Waits until it is known on which frame everything was done; not for ever, for a device may be lost.
    func awaitRecordedActions() async {
        for _ in 0..<LiveSession.longestWaitSteps where player.history.withLock({ $0.isWaiting }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private static let longestWaitSteps = 50

    /// Ends the recording that is under way.
    ///
    /// - Returns: its files, those from before the rate of the output changed with them, and its length in seconds.
    @discardableResult
    func stopRecording(_ source: String) throws(SessionError) -> (files: [Recording], seconds: Double) {
        let (recorder, end) = state.withLock { state in
            defer { state.recorder = nil }
            return (state.recorder, state.recorder?.until ?? state.tapFrame)
        }
        guard let recorder else {
            throw .unsupported(path: source, key: "on", what: "no recording is under way")
        }
        endStripsUnlessNeeded()
        completing.wait()
        try complete(ending(recorder, by: end ?? player.engine.state.frame))
        return recorder.whole
    }

    /// What is known of a recording that ends; the past is not needed for it any more.
    private func ending(_ recorder: PerformanceRecorder, by end: FrameTime) -> EndingTake {
        let until = max(recorder.since, recorder.end(by: end))
        let (path, now) = (player.path, player.engine.state.frame)
        let history = player.history.withLock { history in
            history.endListEdits(at: min(now, until - 1), path: path)
            history.endJournal()
            return history
        }
        let script = history.script(since: recorder.since, until: until, isComplete: true)
        player.releaseHistory()
        return EndingTake(recorder: recorder, script: script, until: until)
    }

    /// Completes the files of a recording whose sound is all there.
    private func complete(_ take: EndingTake) throws(SessionError) {
        let seconds = take.recorder.sampleRate.seconds(frames: take.until - take.recorder.since)
        var made: [Recording] = []
        let files = Result { () throws(SessionError) in
            try take.recorder.finish(take.script, until: take.until)
        }
        state.withLock { $0.notices += take.recorder.takeNotices() }
        for path in try files.get() {
            made.append(Recording(path: path, seconds: seconds, in: library.recordings))
        }
        take.recorder.complete(as: made, seconds: seconds)
        state.withLock { state in
            state.recordings += made
            state.revision += 1
        }
    }

    /// Takes in what was played; to be called with everything that the engine's tap gives.
    ///
    /// - Parameters:
    ///   - left: the left channel of the main output.
    ///   - right: the right one, as long.
    ///   - frame: the first one's frame.
    package func takeAudio(left: [Float], right: [Float], frame: FrameTime) {
        takeAudio(frames: left.count, frame: frame) { (left, right) }
    }

    /// Takes what was played; `sound` is called for it only while something is recorded.
    package func takeAudio(frames: Int, frame: FrameTime, _ sound: () -> (left: [Float], right: [Float])) {
        keepJournal()
        let (ended, broken) = state.withLock { state in
            let end = frame + Int64(frames)
            state.tapFrame = end
            if state.endings.isEmpty, state.recorder == nil { return ([EndingTake](), PerformanceRecorder?.none) }
            var recorders = state.endings.map { (recorder: $0.recorder, until: $0.until) }
            if let recorder = state.recorder { recorders.append((recorder, end)) }
            let needsMain = recorders.contains { !$0.recorder.isOfTracks }
            let main: (left: [Float], right: [Float]) = needsMain ? sound() : ([], [])
            let pieces = state.strips?.recording.take(before: end) ?? []
            // Under the lock: a recording that is ended meanwhile has all that its script covers.
            for (recorder, until) in recorders {
                if recorder.isOfTracks {
                    recorder.add(pieces)
                } else {
                    recorder.add(main.left, main.right, frame, before: until)
                }
            }
            let ended = state.endings.filter { $0.isWhole(at: end) }
            state.endings.removeAll { $0.isWhole(at: end) }
            state.notices += state.recorder?.takeNotices() ?? []
            let broken = state.recorder?.isBroken == true ? state.recorder : nil
            if broken != nil {
                state.recorder = nil
                state.revision += 1
            }
            return (ended, broken)
        }
        endStripsUnlessNeeded()
        completeLater(ended + [broken.map { ending($0, by: frame + Int64(frames)) }].compactMap { $0 })
    }

    /// Journals what was done before the sound that follows it.
    private func keepJournal() {
        guard let recorder = state.withLock({ $0.recorder?.isWaiting == false ? $0.recorder : nil }) else { return }
        if recorder.hasJournal {
            return recorder.note(player.history.withLock { $0.takeJournal(since: recorder.since) })
        }
        let (beginning, past) = player.history.withLock { $0.beginJournal(since: recorder.since) }
        recorder.hasJournal = true
        recorder.begin(beginning, past)
    }

    /// Completes recordings on another thread than the one that delivers sound: a slow disk must not hold that up.
    private func completeLater(_ takes: [EndingTake]) {
        for take in takes {
            DispatchQueue.global(qos: .utility).async(group: completing) { [self] in
                do throws(SessionError) {
                    try complete(take)
                } catch {
                    state.withLock { $0.notices.append(SessionNotice(error)) }
                }
            }
        }
    }

    /// Ends what is under way, at the end of the program, when all that was played was reported: a take that the end has
    /// ended is in the copy of the session then, and its file is whole.
    ///
    /// - Parameter keepsChanges: whether a copy of what was not saved is kept: of a session that nobody can open again
    ///   there is none.
    /// - Returns: what could not be written.
    package func finish(keepsChanges: Bool = true) -> [SessionError] {
        finishRecording(keepsChanges: keepsChanges) + player.takes.end()
    }

    /// Ends the recording of the performance, and keeps what was not saved.
    ///
    /// - Parameter keepsChanges: whether a copy of what was not saved is kept.
    /// - Returns: what could not be written.
    package func finishRecording(keepsChanges: Bool = true) -> [SessionError] {
        let unfinished = state.withLock { state in
            defer { state.endings = [] }
            return state.endings
        }
        completeLater(unfinished)
        completing.wait()
        var problems: [SessionError] = []
        do throws(SessionError) {
            if recording != nil { try stopRecording("record") }
        } catch {
            problems.append(error)
        }
        do throws(SessionError) {
            if keepsChanges { try autosave() }
        } catch {
            problems.append(error)
        }
        return problems
    }
}

/// A recording that has ended, as far as what is done is concerned.
struct EndingTake: Sendable {
    let recorder: PerformanceRecorder
    let script: PerformanceScript
    /// The frame after its last one.
    let until: FrameTime

    /// Whether all that belongs to it was handed over, once what was rendered before `frame` was.
    func isWhole(at frame: FrameTime) -> Bool { until + recorder.lateness <= frame }
}

extension PerformanceRecorder {
    fileprivate func takeNotices() -> [SessionNotice] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }

    /// Adds what is the recording's of a piece of sound that begins with `frame`.
    fileprivate func add(_ left: [Float], _ right: [Float], _ frame: FrameTime, before end: FrameTime) {
        let first = Int(max(0, min(Int64(left.count), since - frame)))
        let last = Int(max(Int64(first), min(Int64(left.count), end - frame)))
        add(left: left[first..<last], right: right[first..<last], frame: frame + Int64(first))
    }
}

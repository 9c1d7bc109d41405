import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation
import Synchronization

/// A session that plays and can be changed meanwhile: edits with undo, its file, autosave, recordings.
///
/// Script actions are done at once, on the calling thread. Edits are done one after the other, in the order in which
/// they were asked for; what plays continues through them.
package final class LiveSession: Sendable {
    /// What plays it.
    package let player: SessionPlayer
    /// Where sessions and recordings are kept.
    package let library: SessionLibrary

    struct State {
        var history: EditHistory
        /// The document as its file has it.
        var saved: SessionDocument
        /// When that was written, in seconds since 1970; `nil` where there is no file.
        var savedTime: Double?
        var isDemo: Bool
        var autosaved: SessionDocument?
        /// Where the copy of it is; `nil` where there is none yet.
        var place: Autosave?
        /// What keeps it up to date.
        var journal: AutosaveJournal?
        /// Copies of earlier times that could be taken over, the latest first.
        var offers: [Autosave] = []
        var recorder: PerformanceRecorder?
        /// The strips that the engine captures for it, and for those that have ended.
        var strips: RecordedStrips?
        /// Whether a recording that is about to begin needs them.
        var isAboutToRecordStrips = false
        /// Recordings that have ended and whose last sound was not handed over yet.
        var endings: [EndingTake] = []
        /// The frame after the last one that was handed over.
        var tapFrame: FrameTime?
        var recordings: [Recording] = []
        /// Notices that nobody has taken yet.
        var notices: [SessionNotice] = []
        /// Whether others can see that the session is open here, and by what.
        var isClaiming = false
        var claim: SessionLock?
        /// Whether another program has it open.
        var isShared = false
        /// Recordings that were broken off with an earlier program.
        var recovered: [RecoveredTake] = []
        /// Folders that files were uploaded to, besides that of the session: it may have been saved elsewhere since.
        var uploadFolders: Set<URL> = []
        var learnRequest: MIDILearnRequest?
        /// The foot switches that were pressed, by their tracks.
        var footSwitches: [String: FootSwitch] = [:]
        var revision = 0
        /// How many of those are of the document alone.
        var editCount = 0

        /// The document has become another one, and nothing else has.
        mutating func noteEdit() {
            revision += 1
            editCount += 1
        }
    }

    /// A file that a recording has become.
    package typealias Recording = RecordedFile

    let state: Mutex<State>
    /// Gives the path of the set that the program brings along.
    let demo: (@Sendable () throws(SessionError) -> String)?
    let acknowledgements = Acknowledgements()
    /// Recordings that are being completed.
    let completing = DispatchGroup()
    /// Keeps copies of the session and its file from being written at once.
    let autosaving = AutosaveGate()
    private let watcher = Mutex<Watcher?>(nil)
    private let queue = SerialTasks()
    private let mediaStore = MediaStore()
    private let loudness = LoudnessListener()

    /// The watcher, which is called with every request.
    ///
    /// A closure that is itself what a lock is generic over is wrapped once more each time that it is looked at, so
    /// that each call goes deeper than the one before. In a structure it stays what it is.
    private struct Watcher {
        let note: @Sendable (String) -> Void
    }

    /// The outcome of an action.
    package struct Outcome: Sendable {
        /// The command whose event the engine emits when it takes it.
        package var command: CommandID?
        /// What the user should know.
        package var warning: SessionWarning?
        /// What was made, by kind: `clip`, `track`, …
        package var result: [String: JSONValue] = [:]
    }

    /// A session that is played by `player`.
    ///
    /// - Parameters:
    ///   - player: what plays it; its engine needs room for what is added
    ///     (``BarlineEngine/EngineConfiguration/reserveForEditing()``).
    ///   - isDemo: whether it is the built-in set, which is saved under another name only.
    ///   - demo: returns the path of the built-in set's session, which is written where it is missing; without it
    ///     ``SessionRequest/openDemo(discard:)`` is refused.
    ///   - library: where sessions and recordings are kept.
    package init(
        _ player: SessionPlayer, isDemo: Bool = false, demo: (@Sendable () throws(SessionError) -> String)? = nil,
        library: SessionLibrary = .standard
    ) {
        self.player = player
        self.library = library
        self.demo = demo
        let document = player.document
        let offers = Autosave.all(of: player.path, in: library)
        state = Mutex(
            State(
                history: EditHistory(document), saved: document, savedTime: SessionLibrary.modified(player.path),
                isDemo: isDemo, offers: offers))
        player.takes.write(
            into: { [weak self] in self?.uploadFolder ?? library.audio }, journals: library.recordings,
            claims: library.state.appendingPathComponent("takes", isDirectory: true),
            name: { [weak self] path in self?.media.relative(path) ?? path },
            circumstances: { [weak player] in TakeKeeper.Circumstances(player) })
    }

    /// Where the audio of the session may be.
    package var media: MediaFolders {
        MediaFolders(
            path: player.path, library: library.folder,
            others: state.withLock { $0.uploadFolders }.sorted { $0.path < $1.path })
    }

    /// Where audio is put that is uploaded or recorded: beside the session's file; in the library for the built-in set,
    /// and where nothing may be written beside the file, as on a disk that is protected.
    package var uploadFolder: URL {
        if state.withLock({ $0.isDemo }) { return library.audio }
        let folder = SessionLibrary.uploads(beside: player.path)
        return SessionLibrary.isProtected(folder) ? library.audio : folder
    }

    /// Puts a file that was uploaded into ``uploadFolder``, where its content is not stored yet.
    ///
    /// - Parameters:
    ///   - temporary: the file, in that folder under a name that begins with a dot.
    ///   - name: what it is called.
    /// - Returns: the path of what has its content from now on.
    /// - Throws: ``AudioFileError`` where the folder can't be written to.
    package func store(_ temporary: String, as name: String) throws(AudioFileError) -> String {
        let (document, media) = (player.document, media)
        let known = Set(document.files.map { URL(fileURLWithPath: $0, relativeTo: media.session).path })
        let folder = uploadFolder
        state.withLock { _ = $0.uploadFolders.insert(folder) }
        return try mediaStore.store(
            temporary, as: name, in: folder, known: known.sorted(), isUsable: media.contains)
    }

    /// Has `watcher` called with a line for every request, before it is performed: for crash logs.
    package func watch(_ watcher: @escaping @Sendable (String) -> Void) {
        self.watcher.withLock { $0 = Watcher(note: watcher) }
    }

    /// Tells the watcher what is asked for, and by whom.
    func note(_ kind: String, _ text: @autoclosure () -> String, _ source: String) {
        guard let watcher = watcher.withLock({ $0 }) else { return }
        watcher.note("\(kind) \(text()), by \(source)")
    }

    // MARK: Acting

    /// Performs a request; edits and files are queued in order.
    package func perform(_ action: ControlAction, source: String = "action") async throws(SessionError) -> Outcome {
        switch action {
        case .perform(let action, let time): return try perform(action, at: time, source: source)
        case .edit(let edit): return try await queued { () throws(SessionError) in try await self.edit(edit, source) }
        case .manage(let request):
            return try await queued { () throws(SessionError) in try await self.manage(request, source) }
        case .relative:
            var outcome = Outcome()
            for action in try resolved(action, source: source) { outcome = try await perform(action, source: source) }
            return outcome
        }
    }

    /// Performs an edit, or a request about the session, after all that were queued before it.
    ///
    /// - Parameters:
    ///   - action: what is asked for.
    ///   - source: what errors call who asks.
    ///   - done: is called with what became of it.
    package func submit(
        _ action: ControlAction, source: String = "action",
        then done: @escaping @Sendable (Result<Outcome, SessionError>) -> Void
    ) {
        _ = queue.add {
            let result: Result<Outcome, SessionError>
            do throws(SessionError) {
                result = .success(try await self.performInOrder(action, source))
            } catch {
                result = .failure(error)
            }
            done(result)
        }
    }

    private func performInOrder(_ action: ControlAction, _ source: String) async throws(SessionError) -> Outcome {
        switch action {
        case .perform(let action, let time): return try perform(action, at: time, source: source)
        case .edit(let edit): return try await self.edit(edit, source)
        case .manage(let request): return try await manage(request, source)
        case .relative:
            var outcome = Outcome()
            for action in try resolved(action, source: source) { outcome = try await performInOrder(action, source) }
            return outcome
        }
    }

    /// The files that an action may name.
    package enum Reach: Sendable {
        /// Those of the session's folder and of the library: for what comes from elsewhere.
        case library
        /// All that who has started the program can read: for the keyboard, scripts, standard input, the desktop.
        case user
    }

    /// The frame from which seconds are counted for what is asked for now. Several that are asked for together share one.
    package var presentFrame: FrameTime { player.engine.earliestFrame(at: .now) }

    /// Performs a word of the performance script, on the calling thread; a time in seconds counts from now.
    ///
    /// - Parameters:
    ///   - action: what is asked for.
    ///   - time: when; `nil` for at once.
    ///   - present: the frame from which seconds are counted; `nil` for that of now.
    ///   - source: what errors call who asks.
    ///   - key: the place there.
    ///   - reach: which files the action may name.
    ///   - isScripted: whether it is a performance's, whose plans the session does not keep.
    /// - Returns: what became of it.
    /// - Throws: ``SessionError`` where an identifier is unknown or the engine refuses.
    package func perform(
        _ action: ScriptAction, at time: ScriptTime? = nil, since present: FrameTime? = nil,
        source: String = "action", key: String = "action", reach: Reach = .library, isScripted: Bool = false
    ) throws(SessionError) -> Outcome {
        note("action", JSONValue.object(action.json).line, source)
        let moment = time?.moment(since: present ?? presentFrame, at: player.engine.sampleRate)
        let action = reach == .user ? action : try contained(action, source)
        let sent = try player.send(action, at: moment, source: source, key: key, isKept: !isScripted)
        if moment == nil || action.isAtOnce { note(action.label(in: player.document), mergeKey: action.mergeKey) }
        return Outcome(command: sent.command, warning: sent.warning)
    }

    /// The frame of a time as things are now, seconds being counted from now: this one where there is none.
    func frame(of time: ScriptTime?) -> FrameTime {
        let now = player.engine.state
        let moment = time?.moment(since: now.frame, at: now.sampleRate)
        return moment.flatMap(player.engine.transport.map.expectedFrame) ?? now.frame
    }

    /// What was just changed in the document becomes a step that can be taken back.
    private func note(_ label: String, mergeKey: String? = nil) {
        state.withLock { state in
            let present = state.history.present
            state.history.add(label, mergeKey: mergeKey, player.document, at: LiveSession.now)
            if present != state.history.present { state.noteEdit() }
        }
    }

    /// Lets the session begin as it is now: nothing before can be taken back, or is a change that was not saved.
    package func beginHistory() {
        let document = player.document
        state.withLock { state in
            state.history = EditHistory(document)
            state.saved = document
            state.revision += 1
        }
    }

    /// Takes what has happened since the last call; to be called often, in the place of
    /// ``SessionPlayer/takeEvents()``: what has changed in the document by what happened becomes a step as well.
    package func takeEvents() -> [EngineEvent] {
        let (events, steps) = player.takeEventsAndSteps { [self] in divideRecording(at: $0, $1) }
        for step in steps { note(step.label, mergeKey: step.mergeKey) }
        acknowledgements.take(events)
        followFootSwitches()
        return events
    }

    /// An action whose file is one that the network may name.
    private func contained(_ action: ScriptAction, _ source: String) throws(SessionError) -> ScriptAction {
        var refusal: SessionError?
        let contained = action.withFiles { file in
            do throws(SessionError) { return try media.file(file, source: source, key: "file") } catch {
                refusal = error
                return file
            }
        }
        if let refusal { throw refusal }
        return contained
    }

    func edit(_ edit: DocumentEdit, _ source: String) async throws(SessionError) -> Outcome {
        note("edit", edit.label, source)
        let survey = await survey(edit, source)
        let result = Mutex<[String: JSONValue]>([:])
        let clampedBefore = Mutex<Set<String>>([])
        let estimate = await player.listen(toLoop: edit.listensTo)
        let rhythm = await player.rhythm(ofClip: edit.asksForRhythmOf)
        let alignments = await player.align(edit.aligns, by: LatencyStore(library).measured)
        let flattened = try await player.flatten(edit.flattens, source: source)
        let after = try await change(
            edit.label, mergeKey: edit.mergeKey, rereads: edit.rereads, movesRows: edit.movesRows
        ) { before throws(SessionError) in
            var document = before
            var context = EditContext(
                source: source, clips: self.player.clipTable, findMedia: { self.media }, estimate: estimate,
                stemGrid: self.player.multitrack?.grid)
            context.survey = survey
            context.rhythm = rhythm
            context.reference = document.loudness(survey.clips)
            (context.alignments, context.flattened) = (alignments, flattened)
            context.recorded = self.player.recorded
            let made = try edit.apply(&document, context)
            try context.recorded.requireFree(in: document, source, key: "slot")
            try self.player.requireSoundRecordedOver(of: before, in: document, source)
            result.withLock { $0 = made }
            clampedBefore.withLock { $0 = Set(before.clampedTempos(path: source).map(\.description)) }
            // What the edit has made must be a session that could be read again.
            return try document.reread(since: before, file: source)
        }
        state.withLock { $0.notices += alignments.notices(after) }
        let known = clampedBefore.withLock { $0 }
        let warning = after.clampedTempos(path: source).first { !known.contains($0.description) }
        return Outcome(warning: warning, result: result.withLock { $0 })
    }

    /// Makes the session another one, as a step that can be taken back, while others may be done beside it.
    ///
    /// - Returns: the document that it is then.
    func change(
        _ label: String, mergeKey: String? = nil, path: String? = nil, rereads: Bool = false, movesRows: Bool = false,
        _ transform: (SessionDocument) throws(SessionError) -> SessionDocument
    ) async throws(SessionError) -> SessionDocument {
        // What is done by now is changed, though the events that tell of it have not come.
        for step in player.keepPlans() { note(step.label, mergeKey: step.mergeKey) }
        state.withLock { $0.history.begin() }
        do throws(SessionError) {
            let (before, after) = try await player.change(path: path, rereads: rereads, transform)
            state.withLock { state in
                state.history.end(
                    label, mergeKey: mergeKey, movesRows: movesRows, from: before, to: after, at: LiveSession.now)
                state.noteEdit()
            }
            return after
        } catch {
            state.withLock { $0.history.cancel() }
            throw error
        }
    }

    /// Looks at the files that an edit brings in.
    private func survey(_ edit: DocumentEdit, _ source: String) async -> ImportSurvey {
        guard let imports = edit.imports else { return ImportSurvey() }
        let request = imports(EditContext(source: source, clips: player.clipTable, findMedia: { self.media }))
        return await ImportSurvey(request, player: player, listener: loudness)
    }

    private func queued(
        _ body: @escaping @Sendable () async throws(SessionError) -> Outcome
    ) async throws(SessionError) -> Outcome {
        try await queue.run { () async -> Result<Outcome, SessionError> in
            do throws(SessionError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// The monotonic clock, in seconds.
    package static var now: Double { MonotonicClock.now }
}

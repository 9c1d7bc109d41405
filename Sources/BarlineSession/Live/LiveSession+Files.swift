import BarlineEngine
import BarlineTime
import Foundation

extension LiveSession {
    /// Does what is asked about the session as a whole.
    func manage(_ request: SessionRequest, _ source: String) async throws(SessionError) -> Outcome {
        var outcome = Outcome()
        note("request", "\(request)", source)
        switch request {
        case .undo: try await undo(source)
        case .redo: try await redo(source)
        case .new(let name, let discard):
            try requireReplaceable(discard, source)
            var document = SessionDocument()
            document.name = name
            document.tracks = (1...4).map { TrackDocument(id: "track-\($0)", name: "Track \($0)") }
            document.scenes = (1...4).map { SceneDocument(name: "Scene \($0)") }
            try await replace(document, path: try unusedPath(name), isDemo: false)
        case .open(let name, let discard):
            try requireReplaceable(discard, source)
            let path = SessionLibrary.target(of: try library.path(ofSession: name))
            try await replace(try SessionDocument(path: path), path: path, isDemo: false)
        case .openDemo(let discard):
            guard let demo else {
                throw .unsupported(path: source, key: "do", what: "there is no demo set here")
            }
            try requireReplaceable(discard, source)
            let path = try demo()
            try await replace(try SessionDocument(path: path), path: path, isDemo: true)
        case .save: outcome.warning = try save(source)
        case .saveAs(let name): outcome.warning = try await save(as: name, source)
        case .restoreVersion(let name): try await restore(name, source)
        case .renameSession(let name, let newName): try await renameSession(name, to: newName, source)
        case .deleteSession(let name): try deleteSession(name, source)
        case .recover(let copy): try await recover(copy, source)
        case .discardRecovery(let copy): if let offer = try offer(copy, source) { forget(offer) }
        case .resetOvers: try resetOvers(source)
        case .learn(let learnRequest):
            if let learnRequest { try check(learnRequest, source) }
            state.withLock { $0.learnRequest = learnRequest }
        case .record(true, let audio, let tracks): try startRecording(audio: audio, tracks: tracks, source)
        case .record(false, _, _):
            await awaitRecordedActions()
            await awaitInputs()
            outcome.result = LiveSession.result(of: try stopRecording(source))
        case .answerRecovery(let name, let keeps): outcome = try await answerRecovery(name, keeps: keeps, source)
        }
        state.withLock { $0.revision += 1 }
        return outcome
    }

    /// Whether names are known is said now, not only when a control is moved. Files may be found until then.
    func check(_ request: MIDILearnRequest, _ source: String) throws(SessionError) {
        guard case .perform(let action, _) = try ControlAction(request.lowest, source: source) else { return }
        do throws(SessionError) {
            try player.check(action, source: source, key: "action")
        } catch {
            if case .unknown = error { throw error }
        }
    }

    private func resetOvers(_ source: String) throws(SessionError) {
        do throws(EngineError) {
            try player.engine.mixer.resetOvers()
        } catch {
            throw .engine(path: source, key: "do", error)
        }
    }

    // MARK: Opening

    /// Refuses another session while there are changes that were not saved, or a slot is recorded: what is recorded
    /// belongs to the session in which it began.
    private func requireReplaceable(_ discard: Bool, _ source: String) throws(SessionError) {
        if let track = player.recorded.tracks.sorted().first {
            throw .unsupported(path: source, key: "do", what: "\"\(track)\" is recorded: end that first")
        }
        if discard || !isDirty { return }
        throw .unsupported(
            path: source, key: "discard",
            what: "the session has changes that were not saved; \"discard\": true drops them")
    }

    /// Whether there are changes that were not saved.
    package var isDirty: Bool {
        let document = player.document
        return state.withLock { $0.saved != document }
    }

    private func replace(_ document: SessionDocument, path: String, isDemo: Bool) async throws(SessionError) {
        _ = try player.perform(.transport(isRolling: false))
        if player.multitrack != nil { _ = try player.perform(.stems(.stop)) }
        try player.silenceParts()
        _ = try player.perform(.playlist(.stop))
        autosaving.hold()
        defer { autosaving.release() }
        removeAutosave()
        try await player.change(path: path, isAnother: true) { _ throws(SessionError) in document }
        player.launchedScene = nil
        let offers = Autosave.all(of: path, in: library)
        state.withLock { state in
            state.history = EditHistory(document)
            state.saved = document
            state.savedTime = SessionLibrary.modified(path)
            state.isDemo = isDemo
            state.autosaved = nil
            state.offers = offers
            // What was to be learnt was for the other one.
            state.learnRequest = nil
        }
        claimPath()
    }

    /// A path in the library that no session has yet.
    private func unusedPath(_ name: String) throws(SessionError) -> String {
        var path = try library.path(ofSession: name)
        var number = 2
        while FileManager.default.fileExists(atPath: path) {
            path = try library.path(ofSession: "\(name) \(number)")
            number += 1
        }
        return path
    }

    // MARK: Saving

    private func save(_ source: String) throws(SessionError) -> SessionWarning? {
        if state.withLock({ $0.isDemo }) {
            throw .unsupported(
                path: source, key: "do", what: "the demo set is saved under a name of your own: \"saveAs\"")
        }
        return try write(player.document, to: player.path)
    }

    private func save(as name: String, _ source: String) async throws(SessionError) -> SessionWarning? {
        // Its files have other names elsewhere, and a loop whose files change is another one.
        if let clip = player.overdubs.keys.sorted().first {
            throw .unsupported(path: source, key: "do", what: "\"\(clip)\" is recorded over: end that first")
        }
        // Names of files have an ending, those of sessions none.
        let name = name.hasSuffix(".barline") && name != ".barline" ? String(name.dropLast(8)) : name
        let path = try library.path(ofSession: name)
        let old = media
        let new = MediaFolders(path: path, library: library.folder)
        autosaving.hold()
        defer { autosaving.release() }
        // What could not be written where the session was has another chance.
        let moving = player.takes.hold(for: SessionLibrary.uploads(beside: path))
        defer { player.takes.release() }
        let isDemo = state.withLock { $0.isDemo }
        let copies = isDemo ? try copyDemoFiles(of: player.document, beside: path) : [:]
        await player.loader.adopt(copies)
        func moved(_ document: SessionDocument) -> SessionDocument {
            var document = document.withFiles { name in
                let path = URL(fileURLWithPath: name, relativeTo: old.session).path
                return new.relative(moving[path] ?? copies[path] ?? path)
            }
            document.name = name
            return document
        }
        // Where that fails the session is where it was, and so is the copy of what was not saved.
        let warning = try write(moved(player.document), to: path)
        player.takes.move(moving)
        player.takes.release()
        let offers = Autosave.all(of: path, in: library)
        let (_, document) = try await player.change(path: path) { document throws(SessionError) in moved(document) }
        state.withLock { state in
            // Documents of before name their files from another folder.
            state.history = EditHistory(document)
            state.isDemo = false
            // What was kept of one that had this name is not lost with it.
            state.offers = offers
        }
        // Where another program has that one open, what is kept is its own.
        claimPath()
        return warning
    }

    /// - Returns: what the user should know, where the session was saved all the same.
    private func write(_ document: SessionDocument, to path: String) throws(SessionError) -> SessionWarning? {
        var warning = path == player.path ? folderMadeAgain ?? writtenByOthers : nil
        try SessionLibrary.makeFolder(of: path)
        do throws(SessionError) {
            try SessionVersions(of: path, in: library).keep(path)
        } catch {
            warning = SessionWarning("the version before could not be kept: \(error)", words: error.words)
        }
        // A copy that is being written would outlive what it is a copy of.
        autosaving.hold()
        defer { autosaving.release() }
        try document.write(to: path)
        player.takes.noteSaved(document)
        removeAutosave()
        // What is offered is that session's still, and known by what is saved of it where its folder gets another name.
        if path == player.path { for offer in state.withLock({ $0.offers }) { offer.setSession(path) } }
        state.withLock { state in
            // What was saved can be come back to.
            state.history.seal()
            state.saved = document
            state.savedTime = SessionLibrary.modified(path)
            state.autosaved = nil
        }
        return warning
    }

    /// What the user should know where the session's folder is not there any more in which it was opened or saved, or was
    /// made again meanwhile, for what is recorded or uploaded.
    private var folderMadeAgain: SessionWarning? {
        let files = FileManager.default
        guard state.withLock({ $0.savedTime }) != nil, !files.fileExists(atPath: player.path) else { return nil }
        let folder = URL(fileURLWithPath: player.path).deletingLastPathComponent().path
        if files.fileExists(atPath: folder) {
            return SessionWarning(
                "\(player.path): the session's file was gone, and was written again",
                words:
                    "The file of this session was gone, as if its folder had been renamed: it was written again. Where "
                    + "sounds are missing, open the session where its folder is now, or bring the files back.")
        }
        return SessionWarning(
            "\(folder): the session's folder was gone, and was made again with nothing but the session in it",
            words:
                "The folder of this session was gone, as if it had been renamed: it was made again, with nothing but the "
                + "session in it. Open the session where its folder is now, or bring the files back.")
    }

    /// What the user should know where another program has written the session since it was opened or saved here.
    private var writtenByOthers: SessionWarning? {
        guard let time = SessionLibrary.modified(player.path), time != state.withLock({ $0.savedTime }) else {
            return nil
        }
        return SessionWarning(
            "\(player.path): another program has written it meanwhile: what it had is kept as a version",
            words: "Another program has written this session meanwhile. What it had is among its versions.")
    }

    /// The versions of the session that is open, the latest first.
    package var versions: [SessionVersion] { SessionVersions(of: player.path, in: library).all }

    /// Makes the session what its file was before: a change like any other, which can be undone and is unsaved.
    private func restore(_ name: String, _ source: String) async throws(SessionError) {
        let version = try SessionVersions(of: player.path, in: library).version(name, source: source).read()
        _ = try await change("Restore version") { _ in version }
    }

    /// Keeps a copy of what was not saved; to be called every few seconds. Where that fails it is tried again.
    ///
    /// While the session is being saved, or another one is being opened, nothing is written: that says what is saved.
    ///
    /// - Returns: whether there was something to write.
    @discardableResult
    package func autosave() throws(SessionError) -> Bool {
        guard autosaving.begin() else { return false }
        defer { autosaving.end() }
        let (document, path) = player.documentAndPath
        let (isNeeded, known, journal) = state.withLock { state in
            (document != state.saved && document != state.autosaved, state.place, state.journal)
        }
        if !isNeeded { return false }
        let place =
            known.flatMap { $0.session == path ? $0 : nil }
            ?? Autosave.free(for: path, in: library, isBeside: isOpenElsewhere)
        let kept: AutosaveJournal?
        if let journal, journal.place == place, journal.append(document) {
            kept = journal
        } else {
            kept = try AutosaveJournal.begin(document, at: place)
        }
        player.takes.noteSaved(document)
        state.withLock { state in
            (state.place, state.journal) = (place, kept)
            state.autosaved = document
        }
        return true
    }

    /// Takes the copy away that nobody needs any more; those that are offered stay until that is answered.
    private func removeAutosave() {
        state.withLock { state in
            state.place?.remove()
            (state.place, state.journal, state.autosaved) = (nil, nil, nil)
        }
    }

    /// A copy that is offered; the latest where none is named, `nil` where there is none.
    private func offer(_ copy: String?, _ source: String) throws(SessionError) -> Autosave? {
        let offer = state.withLock { $0.offers.first { copy == nil || $0.number == copy } }
        if offer == nil, let copy { throw .unknown(path: source, key: "copy", id: copy) }
        return offer
    }

    /// Takes a copy away that was offered.
    private func forget(_ offer: Autosave) {
        offer.remove()
        state.withLock { state in state.offers.removeAll { $0 == offer } }
    }

    private func recover(_ copy: String?, _ source: String) async throws(SessionError) {
        guard let offer = try offer(copy, source) else {
            throw .unsupported(path: source, key: "do", what: "there is no autosave")
        }
        let document = try offer.read()
        _ = try await change("Recover") { _ in document }
        // It is kept as what was not saved here before it goes.
        try autosave()
        forget(offer)
    }
}

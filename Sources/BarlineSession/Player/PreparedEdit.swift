import BarlineEngine

/// An edit of a script, with everything that it takes loaded.
struct PreparedEdit {
    /// The session after it, as far as it is known ahead.
    var document: SessionDocument
    let content: PreparedContent
    /// The clips that it leaves as they are, though the document has the files of another recording of them.
    var kept: [String] = []
    /// Makes the change to what the session is by then; `nil` where the session becomes ``document``.
    var change: ((inout SessionDocument) throws(SessionError) -> Void)?
}

/// The content loaded for another document, to be brought to the engine together.
struct PreparedContent {
    let clips: [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)]
    let clicks: ClickSounds?
    let parts: [any LoadedPart]
    /// The clips that go on as they are in the engine, which may have layers that the document does not know.
    var kept: Set<String> = []
    /// What the clips play whose pitch is kept: kept until the engine has it.
    var sounds: [ClipSound] = []
    /// Whether another session begins, of which nothing is that of the one before.
    var isAnother = false
}

extension SessionPlayer {
    /// Loads what the session needs for the edits of a script, one after the other.
    func prepareEdits(_ script: PerformanceScript) async throws(SessionError) -> [PreparedEdit] {
        var bound = bound.withLock { $0 }
        var edits: [PreparedEdit] = []
        guard script.entries.contains(where: \.action.isEdit) else { return [] }
        for (_, entry) in script.schedule(at: engine.configuration.sampleRate) {
            switch entry.action {
            case .session(let document, let kept):
                var edit = try await prepare(document.keeping(kept, asIn: bound.document), &bound)
                // What is recorded by then is put into what was written.
                (edit.document, edit.kept) = (document, kept)
                edits.append(edit)
            case .change(let change):
                edits.append(try await prepare(change, source: "\(script.path): line \(entry.line)", &bound))
            default: if script.keeps(entry) { bound.keep(entry.action) }
            }
        }
        return edits
    }

    private func prepare(
        _ document: SessionDocument, _ bound: inout BoundSession
    ) async throws(SessionError) -> PreparedEdit {
        let old = bound
        bound.document = document
        try bound.assignPlaces(from: old, engine.configuration)
        return await PreparedEdit(
            document: document,
            content: PreparedContent(
                clips: SessionPlayer.load(bound, loader: loader, listener: listener),
                clicks: prepareClicks(old, bound), parts: SessionParts.load(bound, loader: loader)))
    }

    /// Makes an edit on the next frame that is rendered.
    func apply(_ edit: PreparedEdit) throws(SessionError) {
        let old = bound.withLock { $0 }
        var new = old
        if let change = edit.change {
            // What a script does to the list, the session does not keep.
            new.document.items = playlist.listing.documents
            try change(&new.document)
        } else {
            new.document = edit.document.keeping(edit.kept, asIn: old.document)
        }
        try new.assignPlaces(from: old, engine.configuration)
        new.takeOutputs(capacity: engine.configuration.busCount)
        let stems = SessionPlayer.openStems(new, over: old, sampleRate: engine.sampleRate)
        var content = edit.content
        content.kept = Set(edit.kept)
        let changed = engine.transaction {
            apply(new, over: old, content, stems: stems, feeding: .manual)
        }
        bound.withLock { $0 = changed.result }
    }
}

extension PerformanceScript {
    /// Whether the session keeps what an action sets: so it does in a recording, but for what was asked for ahead. A
    /// clip's start position is kept in any case, or a change of that clip would take it back.
    func keeps(_ entry: ScriptEntry) -> Bool {
        if case .startPosition = entry.action { return true }
        return beginning != nil && !entry.isPlanned
    }
}

extension ScriptAction {
    /// Whether it changes the session, so that audio may have to be loaded for it.
    var isEdit: Bool {
        switch self {
        case .session, .change: true
        default: false
        }
    }
}

extension BoundSession {
    /// Keeps what an action sets in the document.
    fileprivate mutating func keep(_ action: ScriptAction) {
        document.keep(action)
        if case .startPosition(let clip, _) = action { rebind(clip) }
    }
}

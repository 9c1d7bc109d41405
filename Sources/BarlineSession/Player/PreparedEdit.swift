import BarlineEngine

/// An edit of a recording, with everything that it takes loaded.
struct PreparedEdit {
    let document: SessionDocument
    let content: PreparedContent
}

/// What was loaded for another document, to be brought to the engine together.
struct PreparedContent {
    let clips: [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)]
    let clicks: ClickSounds?
    let parts: [any LoadedPart]
}

extension SessionPlayer {
    /// Loads what the session needs to become one document after the other.
    func prepare(_ documents: [SessionDocument]) async throws(SessionError) -> [PreparedEdit] {
        var bound = bound.withLock { $0 }
        var edits: [PreparedEdit] = []
        for document in documents {
            let old = bound
            bound.document = document
            try bound.assignPlaces(from: old, engine.configuration)
            edits.append(
                PreparedEdit(
                    document: document,
                    content: await PreparedContent(
                        clips: SessionPlayer.load(bound, loader: loader, listener: listener),
                        clicks: prepareClicks(old, bound), parts: SessionParts.load(bound, loader: loader))))
        }
        return edits
    }

    /// Makes an edit on the next frame that is rendered.
    func apply(_ edit: PreparedEdit) throws(SessionError) {
        let old = bound.withLock { $0 }
        var new = old
        new.document = edit.document
        try new.assignPlaces(from: old, engine.configuration)
        new.takeOutputs(capacity: engine.configuration.busCount)
        let stems = SessionPlayer.openStems(new, over: old, sampleRate: engine.state.sampleRate)
        let changed = engine.transaction {
            apply(new, over: old, edit.content, stems: stems, feeding: .manual)
        }
        bound.withLock { $0 = changed.result }
    }
}

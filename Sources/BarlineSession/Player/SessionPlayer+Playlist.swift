import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Completes an action on the playlist, and checks that it does not use an identifier twice.
    func resolve(_ action: PlaylistAction, source: String, key: String) throws(SessionError) -> PlaylistAction {
        switch action {
        case .insert(_, _, let id?, _):
            if playlist.has(id: id) { throw .duplicate(path: source, key: "\(key).id", id: id) }
        case .replace(let index, _, let id?, _):
            // An item may be replaced with another one of its name.
            if let place = playlist.documents.firstIndex(where: { $0.id == id }), place != index {
                throw .duplicate(path: source, key: "\(key).id", id: id)
            }
        default: break
        }
        return action
    }

    /// Performs an action on the playlist. One that starts something is done when its first audio is there.
    ///
    /// - Returns: the command by which the engine has been sent it; `nil` where it is sent later, or not at all.
    func perform(_ asked: PlaylistAction, at moment: (any Moment)?) throws(EngineError) -> CommandID? {
        let action = playlist.completed(asked)
        if action.mayStartAnother || moment == nil && action.isRequest { return try start(action, at: moment) }
        let next = history.withLock { $0.pendingList.nextNumber }
        let sent: PlaylistPlayer.Sent = { [weak self] command in
            guard let self, let moment else { return }
            let (path, now) = (path, engine.playlist.state.frame)
            history.withLock { $0.plan(action, sentAs: command, at: moment, before: next, now: now, path: path) }
        }
        switch try playlist.perform(action, at: moment, sent: sent, exchanged: exchangeRecorder(path: path)) {
        case .sent(let command): return command
        case .isToCome: break
        // It takes effect at once, whenever it is for.
        case .isDone:
            let (path, now) = (path, engine.playlist.state.frame)
            history.withLock { $0.addListEdit(action, at: now, path: path) }
        }
        return nil
    }

    /// Performs what may have another item start: what was heard before is heard until that does, and it is noted on
    /// that frame, with the edits that come until then.
    private func start(_ action: PlaylistAction, at moment: (any Moment)?) throws(EngineError) -> CommandID? {
        let (path, now) = (path, engine.playlist.state.frame)
        let number = history.withLock { $0.beginListEdit(action, at: now, path: path) }
        let sent: PlaylistPlayer.Sent = { [weak self] command in
            // What is to start later is edited at once.
            guard let self, moment == nil else { return }
            let path = self.path
            history.withLock { $0.startListEdit(number, sentAs: command, path: path) }
        }
        do throws(EngineError) {
            let outcome = try playlist.perform(
                action, at: moment, sent: sent, exchanged: exchangeRecorder(path: path))
            if case .isToCome = outcome, moment == nil { return nil }
            history.withLock { $0.settleListEdit(number, at: now, path: path) }
        } catch {
            history.withLock { $0.cancelListEdit(number) }
            throw error
        }
        return nil
    }

    /// What streams: the stems, where there are any, and the playlist.
    package var streaming: [any StreamPlayer] {
        let players: [(any StreamPlayer)?] = [multitrack, playlist.player]
        return players.compactMap(\.self)
    }

    /// Problems with items of the playlist, one line each.
    ///
    /// - Complexity: O(*n*) in the problems.
    public var playlistProblems: [String] { playlist.problems.map { "\(path): playlist: \($0)" } }
}

extension SessionPlayer {
    /// The playlist's state.
    package var playlistSnapshot: PlaylistSnapshot {
        let player = playlist.player
        var snapshot = PlaylistSnapshot()
        snapshot.items = playlist.documents.map { document in
            var kept = document
            kept.file = playlist.path(of: document.file)
            return kept
        }
        snapshot.index = player.currentIndex ?? 0
        snapshot.position = player.position
        snapshot.modes = player.modes
        snapshot.modes.stopsAfterCurrent = false
        snapshot.crossfade = player.crossfade
        snapshot.gain = document.playlistSettings.gain
        return snapshot
    }
}

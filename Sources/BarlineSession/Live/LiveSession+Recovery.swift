import BarlineEngine
import BarlineTime
import Foundation

extension LiveSession {
    /// Recordings that were broken off with an earlier program, and that nobody has kept or thrown away yet.
    package var recoveredTakes: [RecoveredTake] { state.withLock { $0.recovered } }

    /// The file's name of the session that a rescued take was recorded into a slot of; `nil` where that is the one that is
    /// played, or none.
    package func otherSession(of take: RecoveredTake) -> String? {
        guard let session = take.place?.session, !isOfThis(take) else { return nil }
        return URL(fileURLWithPath: session).deletingPathExtension().lastPathComponent
    }

    /// Whether a take was recorded into a slot of the session that is played.
    private func isOfThis(_ take: RecoveredTake) -> Bool {
        take.place.map {
            LiveSession.place(of: $0.session, beside: player.path)
                == LiveSession.place(of: player.path, beside: player.path)
        } ?? false
    }

    /// Looks for recordings that were broken off, mends them, and offers them.
    package func recoverTakes() {
        let takes = TakeRecovery.takes(in: library, for: player.path)
        state.withLock { state in
            state.recovered = takes
            state.revision += 1
        }
    }

    /// Keeps a rescued take, or throws it away. What was being recorded into a slot of this session comes back there.
    func answerRecovery(_ name: String, keeps: Bool, _ source: String) async throws(SessionError) -> Outcome {
        guard let take = recoveredTakes.first(where: { $0.name == name }) else {
            throw .unsupported(path: source, key: "name", what: "there is no rescued recording \"\(name)\"")
        }
        let isOfThis = self.isOfThis(take)
        let offers = state.withLock { $0.offers }
        // What is put into the session now would be taken out of it with the rest when that comes.
        if keeps, isOfThis, !offers.isEmpty {
            throw .unsupported(
                path: source, key: "name",
                what: "changes of this session were not saved: take them over or throw them away first, so that the "
                    + "recording comes into what they make of it")
        }
        let files = Set(take.files.map { LiveSession.place(of: $0.path, beside: player.path) })
        // What was not saved has the take as it ended, and mends its file by what is left of it.
        for offer in offers {
            guard let document = try? offer.read() else { continue }
            guard files.isDisjoint(with: LiveSession.places(of: document, beside: player.path)) else {
                throw .unsupported(
                    path: source, key: "name",
                    what: "changes that were not saved use this recording: take them over or throw them away first")
            }
        }
        if keeps {
            try take.keep()
        } else {
            let used = LiveSession.places(of: player.document, beside: player.path)
            try take.discard { used.contains(LiveSession.place(of: $0, beside: player.path)) }
        }
        state.withLock { state in
            state.recovered.removeAll { $0 == take }
            if keeps { state.recordings += take.files }
        }
        guard keeps, isOfThis, let place = take.place, let sound = take.files.first?.path else {
            return Outcome()
        }
        return try await edit(.bringingBack(sound, to: place), source)
    }

    /// Where the files of a session are, however it names them.
    private static func places(of document: SessionDocument, beside session: String) -> Set<String> {
        Set(document.files.map { place(of: $0, beside: session) })
    }

    private static func place(of file: String, beside session: String) -> String {
        let folder = URL(fileURLWithPath: session).deletingLastPathComponent()
        return URL(fileURLWithPath: file, relativeTo: folder).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

extension TakeKeeper.Circumstances {
    /// The session that is played, and the tempo of the moment.
    init(_ player: SessionPlayer?) {
        guard let player, player.engine.state.transport.isRolling else {
            self.init(session: player?.path, grid: nil)
            return
        }
        let transport = player.engine.state.transport
        self.init(
            session: player.path,
            grid: TakeOrigin.Grid(tempo: transport.tempo, barLength: transport.timeSignature.quartersPerBar))
    }
}

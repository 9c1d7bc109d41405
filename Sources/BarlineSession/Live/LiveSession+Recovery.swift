import BarlineEngine
import BarlineTime

extension LiveSession {
    /// Recordings that were broken off with an earlier program, and that nobody has kept or thrown away yet.
    package var recoveredTakes: [RecoveredTake] { state.withLock { $0.recovered } }

    /// Looks for recordings that were broken off, mends them, and offers them.
    package func recoverTakes() {
        let takes = TakeRecovery.takes(in: library)
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
        if keeps { try take.keep() } else { try take.discard() }
        state.withLock { state in
            state.recovered.removeAll { $0 == take }
            if keeps { state.recordings += take.files }
        }
        guard keeps, let place = take.place, place.session == player.path, let sound = take.files.first?.path else {
            return Outcome()
        }
        return try await edit(.bringingBack(sound, to: place), source)
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

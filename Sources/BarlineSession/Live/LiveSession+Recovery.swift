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

    /// Keeps a rescued take, or throws it away.
    func answerRecovery(_ name: String, keeps: Bool, _ source: String) throws(SessionError) {
        guard let take = recoveredTakes.first(where: { $0.name == name }) else {
            throw .unsupported(path: source, key: "name", what: "there is no rescued recording \"\(name)\"")
        }
        if keeps { try take.keep() } else { try take.discard() }
        state.withLock { state in
            state.recovered.removeAll { $0 == take }
            if keeps { state.recordings += take.files }
        }
    }
}

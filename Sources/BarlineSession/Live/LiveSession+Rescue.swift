extension LiveSession {
    /// Recordings that were broken off with an earlier program, and that nobody has kept or thrown away yet.
    package var rescuedTakes: [RescuedTake] { state.withLock { $0.rescued } }

    /// Looks for recordings that were broken off, mends them, and offers them.
    package func rescueTakes() {
        let takes = TakeRescue.takes(in: library)
        state.withLock { state in
            state.rescued = takes
            state.revision += 1
        }
    }

    /// Keeps a rescued take, or throws it away.
    func answerRescue(_ name: String, keeps: Bool, _ source: String) throws(SessionError) {
        guard let take = rescuedTakes.first(where: { $0.name == name }) else {
            throw .unsupported(path: source, key: "name", what: "there is no rescued recording \"\(name)\"")
        }
        if keeps { try take.keep() } else { try take.discard() }
        state.withLock { state in
            state.rescued.removeAll { $0 == take }
            if keeps { state.recordings += take.files }
        }
    }
}

/// Stems that take the place of others while those play.
extension Multitrack {
    /// Plays on from where the stems that these replace are. Their position is the audio thread's to say: what is read
    /// begins a little before.
    func resume(at position: Double, isWhole: Bool) throws(EngineError) {
        let seconds = max(0, position - Multitrack.resumeMargin)
        try control.withLock { [engine, set] _ throws(EngineError) in
            guard let deck = set.decks.takeIdle() else { return }
            set.cue(deck: deck, to: seconds)
            if isWhole { while set.readiness(deck: deck) < 1, set.feedMostUrgent() {} }
            set.decks[deck].send()
            try engine.send([.stems(.hold(set: set.number, deck: deck, seconds: seconds, .resume))], at: nil)
        }
    }

    /// More than what a position may be late by rounding, in seconds.
    private static let resumeMargin = 0.001
}

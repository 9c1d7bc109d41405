/// Another version of a stem, which waits until the one that is on its way is heard.
struct PostponedStem {
    let stem: Stem
    /// Which of all that were postponed it is.
    let number: Int
}

/// Exchanging the version of a stem, for example its transposition.
extension Multitrack {
    /// Replaces the stem at a place by another version of it, as ``setStem(_:at:)`` does, once a version that is on its
    /// way is heard: the versions of a value that is dragged would each replace the one before it, and none be heard
    /// until the hand rests. Of those that wait, the last one is left.
    ///
    /// - Throws: ``EngineError/unknownStem(_:count:)`` or ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the frames that are read ahead of the stem.
    package func exchange(with version: Stem, at index: StemIndex) throws(EngineError) {
        let slot = index.rawValue
        let isPostponed = control.withLock { state in
            guard !feeder.isByHand, state.postponed[slot] != nil || set.isExchanging(slot) else { return false }
            state.postpone(version, in: slot)
            return true
        }
        if isPostponed { wake() } else { try setStem(version, at: index) }
    }

    /// Sends a version that has waited, once the one before it is heard.
    ///
    /// - Returns: whether there was one.
    func exchangePostponed() -> Bool {
        let next = control.withLock { state in state.postponed.first { !set.isExchanging($0.key) } }
        guard let (slot, postponed) = next else { return false }
        let loaded = set.load(postponed.stem, for: slot)
        return control.withLock { state in
            guard state.postponed[slot]?.number == postponed.number, (try? send(loaded, to: slot)) != nil else {
                return false
            }
            state.postponed[slot] = nil
            return true
        }
    }
}

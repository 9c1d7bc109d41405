import BarlineTime

/// Adding, replacing and removing stems.
extension Multitrack {
    /// The stems, in order of their places.
    ///
    /// - Complexity: O(*n*) in the places.
    public var stems: [Stem] { current.compactMap(\.self) }

    /// The stem at a place; `nil` if there is none.
    ///
    /// - Complexity: O(*n*) in the stems.
    public func stem(at index: StemIndex) -> Stem? {
        let stems = current
        return stems.indices.contains(index.rawValue) ? stems[index.rawValue] : nil
    }

    /// Replaces, adds or removes the stem at a place, while the others keep playing.
    ///
    /// A removed stem fades out on the next block's first frame. A new one is read from the stems' current position,
    /// and fades in there, in step, on the frame on which enough of it is in memory; until then the former one stays
    /// audible. Events report both. If the stems are paused, a pending play waits for the new one.
    ///
    /// - Parameters:
    ///   - stem: the new stem; `nil` for none.
    ///   - index: its place, which is also that of its strip: below ``EngineConfiguration/stemCapacity``.
    /// - Returns: the command.
    /// - Throws: ``EngineError/unknownStem(_:count:)`` or ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the frames that are read ahead of the stem.
    @discardableResult
    public func setStem(_ stem: Stem?, at index: StemIndex) throws(EngineError) -> CommandID {
        let capacity = engine.configuration.stemCapacity
        guard (0..<capacity).contains(index.rawValue) else { throw .unknownStem(index, count: capacity) }
        let loaded = stem.map { set.load($0, for: index.rawValue) }
        // No deck is cued meanwhile, so that the stem is on each of them.
        let command = try control.withLock { state throws(EngineError) in
            let command = try send(loaded, to: index.rawValue)
            state.postponed[index.rawValue] = nil
            return command
        }
        wake()
        return command
    }

    /// Takes all stems off the engine, and ends the feeding: where they play they pause, and once they have faded out
    /// their files are closed and their memory is released.
    ///
    /// - Throws: ``EngineError/busy(capacity:)``, which changes nothing.
    /// - Complexity: O(*n*) in the stems, and in the threads that feed, each of which ends first.
    public func remove() throws(EngineError) {
        try engine.send([.stems(.pause(set: set.number)), .stems(.install(nil))], at: nil)
        close()
    }

    /// Has the engine exchange the stem at a place.
    func send(_ stem: LoadedStem?, to slot: Int) throws(EngineError) -> CommandID {
        let command = try engine.send([.stems(.exchange(set: set.number, slot: slot, stem?.part))], at: nil)
        set.put(stem, in: slot)
        return command
    }

    /// The stem of each place, as it was asked for last.
    private var current: [Stem?] {
        control.withLock { state in
            var stems = set.stems
            for (slot, postponed) in state.postponed { stems[slot] = postponed.stem }
            return stems
        }
    }

    /// The length of the longest stem, in seconds, as the sources report it.
    ///
    /// - Complexity: O(*n*) in the stems.
    public var duration: Double { stems.map(\.duration).max() ?? 0 }

    /// The read errors of stems, by place; such a stem is silent from there on.
    ///
    /// - Complexity: O(*n*) in the stems.
    public var problems: [StemIndex: String] {
        Dictionary(uniqueKeysWithValues: self.set.problems.map { (StemIndex($0.key), $0.value) })
    }
}

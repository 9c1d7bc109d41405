import BarlineTime

/// Which stems there are.
extension Multitrack {
    /// The stems, in the order of their places.
    public var stems: [Stem] { self.set.stems.compactMap(\.self) }

    /// The stem in a place; `nil` where there is none.
    public func stem(at index: StemIndex) -> Stem? {
        let stems = set.stems
        return stems.indices.contains(index.rawValue) ? stems[index.rawValue] : nil
    }

    /// Puts another stem in a place, adds one there, or takes one away, while the others play on.
    ///
    /// What is taken away fades out on the next block's first frame. What is new is read from where the stems are, and
    /// fades in there, in step, on the frame on which enough of it is in memory; until then the stem before it is heard.
    /// Events report both. Stems that stand still start when that is so.
    ///
    /// - Parameters:
    ///   - stem: the stem; `nil` for none.
    ///   - index: its place, which is that of its strip: below ``EngineConfiguration/stemCapacity``.
    /// - Returns: the command.
    /// - Throws: ``EngineError/unknownStem(_:count:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func setStem(_ stem: Stem?, at index: StemIndex) throws(EngineError) -> CommandID {
        let capacity = engine.configuration.stemCapacity
        guard (0..<capacity).contains(index.rawValue) else { throw .unknownStem(index, count: capacity) }
        let loaded = stem.map { set.load($0, for: index.rawValue) }
        // No deck is cued meanwhile, so that the stem is on each of them.
        let command = try control.withLock { [engine, set] _ throws(EngineError) in
            let exchange = Stems.Action.exchange(set: set.number, slot: index.rawValue, loaded?.part)
            let command = try engine.send([.stems(exchange)], at: nil)
            set.put(loaded, in: index.rawValue)
            return command
        }
        wake()
        return command
    }

    /// The longest stem's length, in seconds, as the sources give it.
    ///
    /// - Complexity: O(*n*) in the stems.
    public var duration: Double { stems.map(\.duration).max() ?? 0 }

    /// What went wrong with a stem's source, which is silent from there on.
    ///
    /// - Complexity: O(*n*) in the stems.
    public var problems: [StemIndex: String] {
        Dictionary(uniqueKeysWithValues: self.set.problems.map { (StemIndex($0.key), $0.value) })
    }
}

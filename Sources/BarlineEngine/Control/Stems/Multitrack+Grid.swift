import BarlineTime

/// Stems on the grid of beats and bars.
extension Multitrack {
    /// Places the stems on the grid of beats and bars, or removes them from it; stems that play continue.
    ///
    /// On the grid they start the transport, or, if it rolls already, wait for their position in the bar; the transport
    /// that they have started stops with them, unless clips play.
    ///
    /// - Throws: ``EngineError/invalidValue(name:value:)`` for a bar line that is nowhere, or
    ///   ``EngineError/busy(capacity:)``.
    public func setGrid(_ grid: StemGrid?) throws(EngineError) {
        try grid?.check()
        try engine.send([.stems(.grid(set: set.number, grid))], at: nil)
        control.withLock { $0.grid = grid }
    }

    /// The bar line of the stems that is nearest to `seconds`, in the current metre; `seconds` if they have no grid.
    public func nearestBarLine(to seconds: Double) -> Double {
        grid?.nearestBarLine(to: seconds, timeSignature: engine.state.transport.timeSignature) ?? seconds
    }

    /// The bar line nearest to `end`, at least a bar after the one nearest to `start`.
    package func barLine(after start: Double, nearestTo end: Double) -> Double {
        guard let grid else { return end }
        let bar = grid.tempo.seconds(of: engine.state.transport.timeSignature.quartersPerBar)
        return nearestBarLine(to: max(end, nearestBarLine(to: start) + bar))
    }
}

extension StemGrid {
    /// The position of the bar line nearest to `seconds` and not before 0, in bars of one length.
    package func nearestBarLine(to seconds: Double, timeSignature: TimeSignature) -> Double {
        let bar = tempo.seconds(of: timeSignature.quartersPerBar)
        let first = (-barLine / bar).rounded(.up)
        return max(first, ((seconds - barLine) / bar).rounded()) * bar + barLine
    }
}

extension StemGrid {
    /// Checks that it lies anywhere.
    func check() throws(EngineError) {
        if !barLine.isFinite { throw .invalidValue(name: "barLine", value: barLine) }
    }
}

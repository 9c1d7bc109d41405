import BarlineTime

/// How the stems lie on the grid of beats and bars.
extension Multitrack {
    /// Lays the stems on the grid of beats and bars, or takes them off it; stems that play go on.
    ///
    /// On the grid they roll the transport, or wait for their place in the bar where it rolls already, and the
    /// transport that they have set rolling ends with them, unless clips play.
    public func setGrid(_ grid: StemGrid?) throws(EngineError) {
        try engine.send([.stems(.grid(set: set.number, grid))], at: nil)
        control.withLock { $0.grid = grid }
    }

    /// The bar line of the stems that is nearest to `seconds`, in the metre of now; `seconds` where they have no grid.
    public func nearestBarLine(to seconds: Double) -> Double {
        grid?.nearestBarLine(to: seconds, timeSignature: engine.state.transport.timeSignature) ?? seconds
    }

    /// The bar line that is nearest to `end`, at least a bar after the one that is nearest to `start`.
    public func barLine(after start: Double, nearestTo end: Double) -> Double {
        guard let grid else { return end }
        let bar = engine.state.transport.timeSignature.quartersPerBar * 60 / grid.tempo.beatsPerMinute
        return nearestBarLine(to: max(end, nearestBarLine(to: start) + bar))
    }
}

extension StemGrid {
    /// The position of the bar line that is nearest to `seconds` and not before 0, in bars of one length.
    public func nearestBarLine(to seconds: Double, timeSignature: TimeSignature) -> Double {
        let bar = timeSignature.quartersPerBar * 60 / tempo.beatsPerMinute
        let first = (-barLine / bar).rounded(.up)
        return max(first, ((seconds - barLine) / bar).rounded()) * bar + barLine
    }
}

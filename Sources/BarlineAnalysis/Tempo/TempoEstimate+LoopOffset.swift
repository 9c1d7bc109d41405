extension TempoEstimate {
    /// The time of the first downbeat in seconds of a loop that does not begin on a beat; `nil` if it does, and if it
    /// is no loop.
    public var loopOffset: Double? {
        guard loopBeats != nil, let first = beats.first, first > LoopPhase.proximity else { return nil }
        return downbeats.first ?? first
    }
}

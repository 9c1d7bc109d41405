extension TempoEstimate {
    /// The time in seconds of the first downbeat of a loop that is cut off the beat; `nil` where the first frame is on
    /// a beat, and for what is no loop.
    public var loopOffset: Double? {
        guard loopBeats != nil, let first = beats.first, first > LoopPhase.nearness else { return nil }
        return downbeats.first ?? first
    }
}

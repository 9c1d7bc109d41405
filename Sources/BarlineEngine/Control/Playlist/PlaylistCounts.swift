/// How far the players of an engine's playlist have counted. One that follows another counts on: the audio thread knows
/// starts, and the times that items play, by their numbers.
struct PlaylistCounts: ControlPart {
    private(set) var starts = 0
    private(set) var plays = 0

    /// Notes how far a player has come that ends.
    mutating func note(starts: Int, plays: Int) {
        self.starts = max(self.starts, starts)
        self.plays = max(self.plays, plays)
        assert(checkInvariants(), "players count from 0 on")
    }

    /// Whether the invariants hold: nothing was counted backwards.
    func checkInvariants() -> Bool { starts >= 0 && plays >= 0 }
}

extension PlaylistPlayer.State {
    /// Counts on from where the engine's players before it have come, whose list has ended so often.
    mutating func follow(_ counts: PlaylistCounts, endCount: Int64) {
        startCount = counts.starts
        lastPlayNumber = counts.plays
        playNumber = counts.plays
        self.endCount = endCount
    }
}

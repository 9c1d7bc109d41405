import BarlineTime

/// Stopping clips under overload.
extension Launcher {
    /// The number of tracks that play.
    var sheddableCount: Int {
        @_noLocks get {
            var count = 0
            for track in 0..<trackCount where tracks[track].voice >= 0 { count += 1 }
            return count
        }
    }

    /// Stops clips now, latest launch first; of those launched together, that of the last track first.
    ///
    /// - Returns: how many, `count` at most.
    @_noLocks mutating func shed(_ count: Int, _ context: inout RenderContext) -> Int {
        for done in 0..<count {
            var latest = -1
            for track in 0..<trackCount where tracks[track].voice >= 0 {
                if latest < 0 || launchBeat(of: track) >= launchBeat(of: latest) { latest = track }
            }
            if latest < 0 { return done }
            stopVoice(of: latest, &context)
            forgetDue()
        }
        return count
    }

    @_noLocks private func launchBeat(of track: Int) -> Beat { voices[tracks[track].voice].launchBeat }
}

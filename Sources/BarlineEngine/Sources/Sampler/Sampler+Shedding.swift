/// Fading out hits under overload.
extension Sampler {
    /// The number of voices that are not fading out.
    var sheddableCount: Int {
        @_noLocks get {
            var count = 0
            for index in 0..<voiceEnd where !voices[index].isLeaving { count += 1 }
            return count
        }
    }

    /// Fades out voices, oldest first. A voice in the last milliseconds of its sample ends by itself.
    ///
    /// - Returns: how many, `count` at most.
    @_noLocks mutating func shed(_ count: Int, _ timeline: borrowing Timeline) -> Int {
        var done = 0
        for index in 0..<voiceEnd where !voices[index].isLeaving && done < count {
            voices[index].leave(at: timeline.now, fadeFrames: timeline.fadeFrames)
            done += 1
        }
        return done
    }
}

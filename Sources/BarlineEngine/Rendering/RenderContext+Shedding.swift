/// Voice stealing under overload: voices are faded out before the device would be late.
extension RenderContext {
    /// Fades out a part of the voices that may go, at least one: hits of pads first, the oldest one before the others,
    /// then clips, the one that was launched last before the others. Stems, the playlist and the click stay.
    ///
    /// - Complexity: O(*n* · *m*) in the voices that go and the tracks.
    @_noLocks mutating func shed(part: Double) {
        var sounding = 0
        for index in 0..<sourceCount { sounding += sources[index].answer(.countSheddable, &self) }
        if sounding == 0 { return }
        let exact = part * Double(sounding)
        var wanted = Int(exact)
        if Double(wanted) < exact || wanted < 1 { wanted += 1 }
        if wanted > sounding { wanted = sounding }
        var count = 0
        // The last source comes first.
        var index = sourceCount - 1
        while index >= 0 {
            count += sources[index].answer(.shed(wanted - count), &self)
            index -= 1
        }
        emit(.voicesShed(count: count))
    }
}

/// Voice stealing under overload: voices are faded out before the output underruns.
extension RenderContext {
    /// Fades out a share of the voices that may be stolen, at least one: pad hits first, oldest first, then clips,
    /// latest launch first. Stems, the playlist and the click are kept.
    ///
    /// - Complexity: O(*n* · *m*) in the stolen voices and the tracks.
    @_noLocks mutating func shed(part: Double) {
        var sounding = 0
        for index in 0..<sourceCount { sounding += sources[index].answer(.countSheddable, &self) }
        if sounding == 0 { return }
        let exact = part * Double(sounding)
        var wanted = Int(exact)
        if Double(wanted) < exact || wanted < 1 { wanted += 1 }
        if wanted > sounding { wanted = sounding }
        var count = 0
        // In reverse order of the sources.
        var index = sourceCount - 1
        while index >= 0 {
            count += sources[index].answer(.shed(wanted - count), &self)
            index -= 1
        }
        emit(.voicesShed(count: count))
    }
}

import BarlineDSP
import BarlineTime

/// What happens when the device's clock jumps.
extension Renderer {
    /// Compares the device's count at the block's first frame with what was rendered.
    ///
    /// Up to the threshold, playing goes on from the contiguous sample. Beyond it the timeline moves to where the
    /// device's clock says that it is.
    @_noLocks mutating func follow(deviceFrame: Int64) {
        let deviation = clock.deviation(device: deviceFrame, engine: now)
        let seconds = Double(deviation) / sampleRate.hertz
        if seconds <= resyncThreshold, seconds >= -resyncThreshold { return }
        clock.anchor(device: deviceFrame, engine: now)
        // No clock runs so far back: the device has begun to count anew.
        if seconds < -Renderer.longestStepBack { return }
        shiftTimeline(by: -deviation)
        emit(.clockJumped(frames: deviation))
    }

    private static var longestStepBack: Double { @_noLocks get { 10 } }

    /// Moves everything that is anchored in frames by `frames`, while `now` goes on. What plays fades over 5 ms from where
    /// it was going to where it should be.
    @_noLocks private mutating func shiftTimeline(by frames: Int64) {
        anchorVoices()
        keepStemPositions()
        for index in 0..<voiceEnd { voices[index].isDetached = true }
        if isRolling {
            tempo.shift(by: frames)
            rollFrame = rollFrame + frames
        }
        for track in 0..<trackCount { shiftVoice(of: track, by: frames) }
        anchorStems()
        shiftStems(by: frames)
        resolveTimeline()
    }
}

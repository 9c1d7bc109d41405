import BarlineDSP

/// Scratch buffers for one slice of a block, not preserved between sources.
struct RenderScratch: BitwiseCopyable, @unchecked Sendable {
    let voiceLeft: UnsafeMutablePointer<Float>
    let voiceRight: UnsafeMutablePointer<Float>
    let trackLeft: UnsafeMutablePointer<Float>
    let trackRight: UnsafeMutablePointer<Float>
    /// The beat of each frame during a tempo ramp.
    let beats: UnsafeMutablePointer<Double>

    /// The buffer that one voice, stem or item is read into.
    var source: StereoBuffer { @_noLocks get { StereoBuffer(left: voiceLeft, right: voiceRight) } }
    /// The buffer in which a channel's sources are summed.
    var signal: StereoBuffer { @_noLocks get { StereoBuffer(left: trackLeft, right: trackRight) } }

    init() {
        let frames = BlockSlice.largestCount
        voiceLeft = .allocate(capacity: frames)
        voiceRight = .allocate(capacity: frames)
        trackLeft = .allocate(capacity: frames)
        trackRight = .allocate(capacity: frames)
        beats = .allocate(capacity: frames)
    }

    func deallocate() {
        voiceLeft.deallocate()
        voiceRight.deallocate()
        trackLeft.deallocate()
        trackRight.deallocate()
        beats.deallocate()
    }
}

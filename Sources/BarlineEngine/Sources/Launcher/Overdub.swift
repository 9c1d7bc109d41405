import BarlineTime

/// The parameters of an overdub.
struct OverdubPlan: BitwiseCopyable, Sendable {
    let input: Int
    /// The level at which the loop is mixed into each layer, as an amplitude.
    let feedback: Float
    /// The number of bars after which it ends by itself; 0 for none.
    let bars: Int
}

/// The overdub of the clip that plays on a track: queued, or being recorded.
struct Overdub: BitwiseCopyable, @unchecked Sendable {
    /// The boundary on which it begins (queued as a launch of its clip), or ends (queued as a stop).
    var queue = LaunchQueue()
    var plan = OverdubPlan(input: 0, feedback: 1, bars: 0)
    /// The layer being recorded; `nil` if none is.
    var layer: UnsafeMutablePointer<Take>?
    /// The frame at which it began.
    var since = FrameTime(rawValue: 0)
    /// The clip whose loop is to be changed once its latest overdub is audible, or −1; the change, and the beat at
    /// which it takes over.
    var changingClip = -1
    var change = LoopChange.multiply
    var changeBeat = Beat(rawValue: 0)

    @_noLocks init() {}

    /// Whether a layer is being recorded.
    var isRecording: Bool {
        @_noLocks get {
            if let _ = layer { return true }
            return false
        }
    }

    /// Cancels a pending overdub of a clip.
    @_noLocks mutating func forget(_ clip: Int) {
        if queue.isLaunch(of: clip) { queue.clear() }
        if changingClip == clip { changingClip = -1 }
    }
}

import BarlineTime

/// How something is recorded over a loop.
struct OverdubPlan: BitwiseCopyable, Sendable {
    let input: Int
    /// The level at which the loop goes on sounding in each layer, as an amplitude.
    let feedback: Float
    /// The bars after which it ends by itself; 0 for none.
    let bars: Int
}

/// The overdub of the clip that plays on a track: queued, or being recorded.
struct Overdub: BitwiseCopyable, @unchecked Sendable {
    /// Where it begins, as the launch of its clip, or ends, as a stop.
    var queue = LaunchQueue()
    var plan = OverdubPlan(input: 0, feedback: 1, bars: 0)
    /// The layer that is recorded; `nil` where none is.
    var layer: UnsafeMutablePointer<Take>?
    /// The frame at which it began.
    var since = FrameTime(rawValue: 0)
    /// The clip whose loop is to be changed as soon as what was recorded over it is heard, how, and the beat from which on that is heard; −1 for none.
    var changingClip = -1
    var change = LoopChange.multiply
    var changeBeat = Beat(rawValue: 0)

    @_noLocks init() {}

    /// Forgets what was to be recorded over a clip.
    @_noLocks mutating func forget(_ clip: Int) {
        if queue.isLaunch(of: clip) { queue.clear() }
        if changingClip == clip { changingClip = -1 }
    }
}

/// A track: what it plays and what it waits for.
struct TrackState: BitwiseCopyable, @unchecked Sendable {
    var queue = LaunchQueue()
    /// The voice of the clip that plays, or −1.
    var voice = -1
    /// The voice that leads in to the queued launch, or −1.
    var lead = -1
    /// The clip of mode `repeat` that is held down, or −1.
    var heldClip = -1

    /// The take that is recorded into one of its slots; `nil` where none is.
    var take: UnsafeMutablePointer<Take>?
    /// What is recorded over its clip, or is to be.
    var overdub = Overdub()
    /// How its input is heard on it.
    var monitor = InputMonitor()

    /// The first voice that sounds on the track, or −1.
    var firstVoice = -1

    @_noLocks init() {}
}

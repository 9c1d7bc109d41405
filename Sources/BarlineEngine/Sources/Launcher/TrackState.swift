/// The state of a track: what it plays and what is queued.
struct TrackState: BitwiseCopyable, @unchecked Sendable {
    var queue = LaunchQueue()
    /// The voice of the clip that plays, or −1.
    var voice = -1
    /// The voice that leads in to the queued launch, or −1.
    var lead = -1
    /// The held clip of launch mode `repeat`, or −1.
    var heldClip = -1

    /// The take being recorded into one of its slots; `nil` if none is.
    var take: UnsafeMutablePointer<Take>?
    /// The overdub of its clip, current or queued.
    var overdub = Overdub()
    /// The monitor of its input.
    var monitor = InputMonitor()

    /// The first voice on the track, or −1.
    var firstVoice = -1

    @_noLocks init() {}
}

/// The state of a track: what it plays and what is queued.
struct TrackState: BitwiseCopyable, @unchecked Sendable {
    /// What plays, waits and is held.
    var launch = LaunchState()
    /// The voice of the clip that plays, or −1.
    private(set) var voice = -1
    /// The voice that leads in to the queued launch, or −1.
    var lead = -1

    /// The take being recorded into one of its slots; `nil` if none is.
    var take: UnsafeMutablePointer<Take>?
    /// The overdub of its clip, current or queued.
    var overdub = Overdub()
    /// The monitor of its input.
    var monitor = InputMonitor()

    /// The first voice on the track, or −1.
    var firstVoice = -1

    @_noLocks init() {}

    /// The request that waits for its boundary.
    var queue: LaunchQueue { @_noLocks get { launch.queue } }

    /// Whether the invariants hold: a clip that plays has a voice, a voice that leads in is another one, and whatever
    /// waits has a boundary.
    @_noLocks func checkInvariants() -> Bool {
        if voice >= 0, voice == lead { return false }
        return (voice >= 0) == (launch.playing >= 0) && launch.checkInvariants() && overdub.queue.checkInvariants()
            && monitor.checkInvariants()
    }

    /// A clip plays now, with a voice.
    @_noLocks mutating func begin(_ clip: Int, voice: Int) {
        self.voice = voice
        launch.begin(clip)
    }

    /// Nothing plays any more.
    @_noLocks mutating func end() {
        voice = -1
        launch.end()
    }
}

import BarlineTime

/// The audio thread's metronome: what it plays, what it has planned and what sounds.
struct Metronome: ~Copyable, @unchecked Sendable {
    var settings: MetronomeSettings
    var content: UnsafePointer<ClickContent>
    var plan = BeatPlan()
    var taps = TapTempo()
    /// The latest beat that was played since the transport began to roll.
    var playedBeat = Metronome.beforeAll
    let voices: UnsafeMutablePointer<ClickVoice>
    /// Places of the pool from this one on are free.
    var voiceEnd = 0

    init(_ settings: MetronomeSettings, content: UnsafePointer<ClickContent>) {
        self.settings = settings
        self.content = content
        voices = .allocate(capacity: ClickVoice.poolCount)
    }

    deinit { voices.deallocate() }

    static var beforeAll: Beat { @_noLocks get { Beat(rawValue: -.greatestFiniteMagnitude) } }
}

/// Where on the state board things are.
enum StateLayout {
    static var frame: Int { @_noLocks get { 0 } }
    static var flags: Int { @_noLocks get { 1 } }
    static var beat: Int { @_noLocks get { 2 } }
    static var songPosition: Int { @_noLocks get { 3 } }
    static var tempo: Int { @_noLocks get { 4 } }
    static var bar: Int { @_noLocks get { 5 } }
    static var pulse: Int { @_noLocks get { 6 } }
    static var timeSignature: Int { @_noLocks get { 7 } }
    static var sampleRate: Int { @_noLocks get { 8 } }
    static var voices: Int { @_noLocks get { 9 } }
    static var stemsPhase: Int { @_noLocks get { 10 } }
    static var stemsPosition: Int { @_noLocks get { 11 } }
    static var stemsUnderruns: Int { @_noLocks get { 12 } }
    static var metronome: Int { @_noLocks get { 13 } }
    static var playlistPhase: Int { @_noLocks get { 14 } }
    static var playlistDeck: Int { @_noLocks get { 15 } }
    static var playlistPosition: Int { @_noLocks get { 16 } }
    static var playlistItem: Int { @_noLocks get { 17 } }
    static var playlistTurn: Int { @_noLocks get { 18 } }
    static var playlistOrigin: Int { @_noLocks get { 19 } }
    static var playlistUnderruns: Int { @_noLocks get { 20 } }
    static var effects: Int { @_noLocks get { 21 } }
    static var padVoices: Int { @_noLocks get { 22 } }
    /// How many beats were played and how many are planned, then three words for each of them.
    static var beats: Int { @_noLocks get { padVoices + 1 } }
    /// The tempo's segment in five words, the metre's and that of a later one in three each.
    static var map: Int { @_noLocks get { beats + 2 + 6 * BeatPlan.beatCount } }
    /// Whether the song loops, and where the region begins and how long it is.
    static var songLoop: Int { @_noLocks get { map + 11 } }
    static var header: Int { @_noLocks get { songLoop + 3 } }

    /// Words of a track, from its first one on.
    enum Track {
        static var clip: Int { @_noLocks get { 0 } }
        static var queued: Int { @_noLocks get { 1 } }
        static var queuedFrame: Int { @_noLocks get { 2 } }
        static var progress: Int { @_noLocks get { 3 } }
        static var sourceFrame: Int { @_noLocks get { 4 } }
        static var iteration: Int { @_noLocks get { 5 } }
        static var count: Int { @_noLocks get { 6 } }
    }

    /// Words of a channel, from its first one on.
    enum Channel {
        static var strip: Int { @_noLocks get { 0 } }
        static var peak: Int { @_noLocks get { 1 } }
        static var rms: Int { @_noLocks get { 2 } }
        static var count: Int { @_noLocks get { 3 } }
    }

    /// Words of a bus, from its first one on.
    enum Bus {
        static var peak: Int { @_noLocks get { 0 } }
        static var rms: Int { @_noLocks get { 1 } }
        static var overs: Int { @_noLocks get { 2 } }
        static var gain: Int { @_noLocks get { 3 } }
        static var highest: Int { @_noLocks get { 4 } }
        static var count: Int { @_noLocks get { 5 } }
    }

    /// Words of a pad, from its first one on.
    enum Pad {
        static var hits: Int { @_noLocks get { 0 } }
        static var voices: Int { @_noLocks get { 1 } }
        static var waiting: Int { @_noLocks get { 2 } }
        /// The velocity of the latest hit, and how far it is.
        static var latest: Int { @_noLocks get { 3 } }
        static var count: Int { @_noLocks get { 4 } }
    }

    static var nothing: Int64 { @_noLocks get { -1 } }
    static var stop: Int64 { @_noLocks get { -2 } }

    @_noLocks static func track(_ index: Int) -> Int { header + index * Track.count }

    @_noLocks static func bus(_ index: Int, tracks: Int) -> Int {
        header + tracks * Track.count + index * Bus.count
    }

    @_noLocks static func channel(_ index: Int, tracks: Int, buses: Int) -> Int {
        bus(buses, tracks: tracks) + index * Channel.count
    }

    /// Where the pads are.
    @_noLocks static func pads(_ layout: ChannelLayout, buses: Int) -> Int {
        channel(layout.count, tracks: layout.trackCount, buses: buses)
    }

    static func count(_ configuration: EngineConfiguration) -> Int {
        pads(configuration.channelLayout, buses: configuration.busCount) + configuration.padCapacity * Pad.count
    }
}

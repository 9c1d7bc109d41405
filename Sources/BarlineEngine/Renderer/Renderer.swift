import BarlineDSP
import BarlineTime
import CRealtime

/// The audio thread's side of the engine: a function from state, commands and a range of frames to samples.
///
/// Everything it uses is allocated when it is made. ``render(_:)`` neither allocates, locks, retains nor calls the
/// system; the compiler checks that through `@_noLocks`, and RealtimeSanitizer through the guard round it.
struct Renderer: ~Copyable, @unchecked Sendable {
    /// Blocks are rendered in pieces of at most this many frames.
    static let chunkFrames = 256

    let link: EngineLink
    let trackCount: Int
    /// Channels of the mixer in use: the tracks, the metronome, the stems that are loaded.
    var channelCount: Int
    let busCount: Int
    let hasPlaylist: Bool
    let voiceCount: Int
    let clipCapacity: Int

    let tracks: UnsafeMutablePointer<TrackState>
    let channels: UnsafeMutablePointer<ChannelStrip>
    /// Whether a channel waits to go on to another bus.
    var isMoveWaiting = false
    let heads: UnsafeMutablePointer<StemHead>
    let buses: UnsafeMutablePointer<BusState>
    /// One for each bus, or none.
    let limiters: UnsafeMutablePointer<Limiter>
    let limiterCount: Int
    let voices: UnsafeMutablePointer<ClipVoice>
    let clips: UnsafeMutablePointer<UnsafePointer<ClipContent>?>
    let scratch: RenderScratch
    let reader = VarispeedReader()

    var schedule: CommandSchedule
    /// Content that goes back to the control side as soon as no voice reads it.
    let leaving: UnsafeMutablePointer<UnsafeRawPointer>
    let leavingCapacity: Int
    var leavingCount = 0
    var multitrack = MultitrackState()
    /// More than there are heads that could still read one.
    static var leavingStemSetCapacity: Int { @_noLocks get { 32 } }
    var playlist = PlaylistState()
    let listHeads: UnsafeMutablePointer<PlaylistHead>
    let leavingStemSets: UnsafeMutablePointer<UnsafePointer<StemSetContent>>
    var leavingStemSetCount = 0

    var now = FrameTime(rawValue: 0)
    var sampleRate: SampleRate
    var fadeFrames: Int64
    var tempo: TempoMap
    var metre: MetreMap
    var song = SongPosition()
    var isRolling = false
    var rollFrame = FrameTime(rawValue: 0)
    var rollBeat = Beat(rawValue: 0)
    /// The tempo that takes over at a boundary, with a scene.
    var queuedTempo = Tempo(clamping: 120)
    var queuedTempoBoundary = GridPoint.beat(Beat(rawValue: 0))
    var queuedTempoFrame = FrameTime(rawValue: .max)

    var quantization: Quantization
    var firstLaunch: FirstLaunch
    var snapTolerance: Double
    var soloCount = 0
    var metronome: Metronome
    /// Slots of the voice pool from this one on are free.
    var voiceEnd = 0
    var clock = DeviceClock()
    let resyncThreshold: Double
    /// Fades the outputs in after a device was away.
    var presence = Ramp(constant: 1)

    init(_ configuration: EngineConfiguration, link: EngineLink, clicks: UnsafePointer<ClickContent>) {
        precondition(configuration.trackCount > 0 && configuration.busCount > 0, "an engine has a track and a bus")
        precondition(configuration.voiceCount > 0 && configuration.clipCapacity > 0, "an engine can hold clips")
        self.link = link
        trackCount = configuration.trackCount
        channelCount = configuration.firstStemChannel
        busCount = configuration.busCount
        voiceCount = configuration.voiceCount
        hasPlaylist = configuration.playlistSeconds > 0
        clipCapacity = configuration.clipCapacity
        tracks = .allocate(capacity: trackCount)
        tracks.initialize(repeating: TrackState(), count: trackCount)
        channels = .allocate(capacity: configuration.channelCount)
        channels.initialize(repeating: ChannelStrip(), count: configuration.channelCount)
        heads = .allocate(capacity: MultitrackState.headCapacity)
        for index in 0..<MultitrackState.headCapacity { heads[index].phase = .free }
        listHeads = .allocate(capacity: PlaylistState.headCapacity)
        let unused = PlaylistHead(deck: -1, position: 0, at: FrameTime(rawValue: 0))
        listHeads.initialize(repeating: unused, count: PlaylistState.headCapacity)
        leavingStemSets = .allocate(capacity: Renderer.leavingStemSetCapacity)
        buses = .allocate(capacity: busCount)
        buses.initialize(repeating: BusState(), count: busCount)
        limiterCount = configuration.limiter == nil ? 0 : busCount
        limiters = .allocate(capacity: limiterCount)
        if let limiter = configuration.limiter {
            for bus in 0..<busCount {
                (limiters + bus).initialize(to: Limiter(limiter, sampleRate: configuration.sampleRate))
            }
        }
        voices = .allocate(capacity: voiceCount)
        clips = .allocate(capacity: clipCapacity)
        clips.initialize(repeating: nil, count: clipCapacity)
        scratch = RenderScratch(busCount: busCount)
        schedule = CommandSchedule(capacity: configuration.commandCapacity)
        leavingCapacity = 2 * configuration.commandCapacity
        leaving = .allocate(capacity: leavingCapacity)
        sampleRate = configuration.sampleRate
        fadeFrames = configuration.sampleRate.frames(seconds: Renderer.fadeSeconds)
        tempo = TempoMap(tempo: configuration.tempo, sampleRate: configuration.sampleRate)
        metre = MetreMap(configuration.timeSignature)
        quantization = configuration.launchQuantization
        firstLaunch = configuration.firstLaunch
        snapTolerance = configuration.snapTolerance
        resyncThreshold = configuration.resyncThreshold
        metronome = Metronome(configuration.metronome, content: clicks)
    }

    deinit {
        tracks.deallocate()
        channels.deallocate()
        heads.deallocate()
        listHeads.deallocate()
        leavingStemSets.deallocate()
        buses.deallocate()
        limiters.deinitialize(count: limiterCount)
        limiters.deallocate()
        voices.deallocate()
        clips.deallocate()
        scratch.deallocate()
        leaving.deallocate()
    }

    /// The length of every fade but a clip's own.
    static let fadeSeconds = 0.005

    /// The metronome's channel, after which the stems' come.
    var metronomeChannel: Int { @_noLocks get { trackCount } }

    var playlistChannel: Int { @_noLocks get { trackCount + 1 } }

    var firstStemChannel: Int { @_noLocks get { trackCount + 2 } }

    var decks: UnsafePointer<PlaylistDeck> { @_noLocks get { link.playlist.decks } }

    /// Renders the next `block.frames` frames.
    @_noLocks mutating func render(_ block: AudioBlock) {
        let mode = rt_guard_enter()
        takeCommands()
        if let deviceFrame = block.deviceFrame { follow(deviceFrame: deviceFrame) }
        var offset = 0
        while offset < block.frames {
            handleDue()
            var count = block.frames - offset
            if count > 256 { count = 256 }
            let untilNext = nextDueFrame() - now
            if Int64(count) > untilNext { count = Int(untilNext) }
            mix(block, offset: offset, count: count)
            now = now + Int64(count)
            offset += count
        }
        publish()
        releaseLeaving()
        releaseLeavingStems()
        rt_guard_exit(mode)
    }

    @_noLocks func emit(_ kind: EngineEvent.Kind) {
        if !link.events.push(EngineEvent(frame: now, kind: kind)) {
            link.counters.pointee.droppedEvents.wrappingAdd(1, ordering: .relaxed)
        }
    }
}

/// Buffers for one piece of a block.
struct RenderScratch: BitwiseCopyable, @unchecked Sendable {
    let voiceLeft: UnsafeMutablePointer<Float>
    let voiceRight: UnsafeMutablePointer<Float>
    let trackLeft: UnsafeMutablePointer<Float>
    let trackRight: UnsafeMutablePointer<Float>
    /// Left and right of every bus, `Renderer.chunkFrames` each.
    let buses: UnsafeMutablePointer<Float>
    let beats: UnsafeMutablePointer<Double>

    init(busCount: Int) {
        let frames = Renderer.chunkFrames
        voiceLeft = .allocate(capacity: frames)
        voiceRight = .allocate(capacity: frames)
        trackLeft = .allocate(capacity: frames)
        trackRight = .allocate(capacity: frames)
        buses = .allocate(capacity: 2 * busCount * frames)
        beats = .allocate(capacity: frames)
    }

    func deallocate() {
        voiceLeft.deallocate()
        voiceRight.deallocate()
        trackLeft.deallocate()
        trackRight.deallocate()
        buses.deallocate()
        beats.deallocate()
    }
}

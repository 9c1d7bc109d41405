import BarlineDSP
import BarlineTime
import CRealtime

/// The audio thread's side of the engine: a function from state, commands and a range of frames to samples.
///
/// Everything it uses is allocated when it is made. ``render(_:)`` neither allocates, locks, retains nor calls the
/// system; the compiler checks that through `@_noLocks`, and RealtimeSanitizer through the guard round it.
struct Renderer: ~Copyable, @unchecked Sendable {
    let link: EngineLink
    let trackCount: Int
    let hasPlaylist: Bool
    let voiceCount: Int
    let clipCapacity: Int

    let tracks: UnsafeMutablePointer<TrackState>
    var mixer: Mixer
    let heads: UnsafeMutablePointer<StemHead>
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

    var timeline: Timeline
    var quantization: Quantization
    var firstLaunch: FirstLaunch
    var metronome: Metronome
    /// Slots of the voice pool from this one on are free.
    var voiceEnd = 0

    init(_ configuration: EngineConfiguration, link: EngineLink, clicks: UnsafePointer<ClickContent>) {
        precondition(configuration.trackCount > 0 && configuration.busCount > 0, "an engine has a track and a bus")
        precondition(configuration.voiceCount > 0 && configuration.clipCapacity > 0, "an engine can hold clips")
        self.link = link
        trackCount = configuration.trackCount
        voiceCount = configuration.voiceCount
        hasPlaylist = configuration.playlistSeconds > 0
        clipCapacity = configuration.clipCapacity
        tracks = .allocate(capacity: trackCount)
        tracks.initialize(repeating: TrackState(), count: trackCount)
        mixer = Mixer(configuration, tap: link.tap)
        heads = .allocate(capacity: MultitrackState.headCapacity)
        for index in 0..<MultitrackState.headCapacity { heads[index].phase = .free }
        listHeads = .allocate(capacity: PlaylistState.headCapacity)
        let unused = PlaylistHead(deck: -1, position: 0, at: FrameTime(rawValue: 0))
        listHeads.initialize(repeating: unused, count: PlaylistState.headCapacity)
        leavingStemSets = .allocate(capacity: Renderer.leavingStemSetCapacity)
        voices = .allocate(capacity: voiceCount)
        clips = .allocate(capacity: clipCapacity)
        clips.initialize(repeating: nil, count: clipCapacity)
        scratch = RenderScratch()
        schedule = CommandSchedule(capacity: configuration.commandCapacity)
        leavingCapacity = 2 * configuration.commandCapacity
        leaving = .allocate(capacity: leavingCapacity)
        timeline = Timeline(configuration)
        quantization = configuration.launchQuantization
        firstLaunch = configuration.firstLaunch
        metronome = Metronome(configuration.metronome, content: clicks)
    }

    deinit {
        tracks.deallocate()
        heads.deallocate()
        listHeads.deallocate()
        leavingStemSets.deallocate()
        voices.deallocate()
        clips.deallocate()
        scratch.deallocate()
        leaving.deallocate()
    }

    var decks: UnsafePointer<PlaylistDeck> { @_noLocks get { link.playlist.decks } }

    /// Renders the next `block.frames` frames.
    @_noLocks mutating func render(_ block: AudioBlock) {
        let mode = rt_guard_enter()
        takeCommands()
        if let deviceFrame = block.deviceFrame, let retiming = timeline.follow(deviceFrame: deviceFrame) {
            give(retiming)
        }
        var offset = 0
        while offset < block.frames {
            handleDue()
            var count = block.frames - offset
            if count > BlockSlice.largestCount { count = BlockSlice.largestCount }
            let untilNext = nextDueFrame() - timeline.now
            if Int64(count) > untilNext { count = Int(untilNext) }
            mix(block, offset: offset, count: count)
            timeline.now = timeline.now + Int64(count)
            offset += count
        }
        publish()
        releaseLeaving()
        releaseLeavingStems()
        rt_guard_exit(mode)
    }

    @_noLocks func emit(_ kind: EngineEvent.Kind) {
        if !link.events.push(EngineEvent(frame: timeline.now, kind: kind)) {
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
    let beats: UnsafeMutablePointer<Double>

    /// What a channel's sources are summed in.
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

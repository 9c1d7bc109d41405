import BarlineDSP
import BarlineTime

/// The launcher, on the audio thread: what each track plays and what is queued there. It decides nothing itself and
/// makes no sound: it has what is due on a track (``LaunchState``), in a voice (``VoicePool``), in a take
/// (``ClipRecorder``) or in a monitor (``InputMonitor``) done, and says to each what that means for it.
struct Launcher: ~Copyable, Source, @unchecked Sendable {
    // First, because ThreadSanitizer takes the first property as the address written to, and the compiler crashes if it
    // is not a pointer (Swift 6.3.1); what it points to must belong to the audio thread.
    let tracks: UnsafeMutablePointer<TrackState>
    let trackCount: Int
    /// The voices of its clips.
    var pool: VoicePool
    /// The change of tempo and metre after which the frames of boundaries were recomputed (``VoicePool/retimings``).
    var resolvedRetimings = 0
    let clips: UnsafeMutablePointer<UnsafePointer<ClipContent>?>
    var quantization: Quantization
    var firstLaunch: FirstLaunch
    /// The takes and layers under way.
    var recorder = ClipRecorder()
    /// The next due frame, or ``Launcher/unknown`` if something has happened since it was found. Up to there the
    /// launcher has nothing to do, and visits no voice.
    private var due = Launcher.unknown

    /// The voices of the pool.
    var voices: UnsafeMutablePointer<ClipVoice> { @_noLocks get { pool.voices } }

    /// The board place of its tracks.
    let trackPlace: BoardPlace<TrackSnapshot>

    init(_ setup: inout SourceSetup) {
        let configuration = setup.configuration
        trackPlace = setup.places.claim(TrackSnapshot.self, count: configuration.trackCount)
        trackCount = configuration.trackCount
        tracks = .allocate(capacity: trackCount)
        tracks.initialize(repeating: TrackState(), count: trackCount)
        pool = VoicePool(capacity: configuration.voiceCount)
        clips = .allocate(capacity: configuration.clipCapacity)
        clips.initialize(repeating: nil, count: configuration.clipCapacity)
        quantization = configuration.launchQuantization
        firstLaunch = configuration.firstLaunch
    }

    deinit {
        tracks.deallocate()
        clips.deallocate()
    }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase):
            resolveStaleLaunches(context.timeline)
            pool.reanchorIfStale(context.timeline)
            run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .holdsBeats: return holdsBeats ? 1 : 0
        case .isReading(let content): return pool.isReading(content) || recorder.isUsing(content) ? 1 : 0
        case .countSheddable: return sheddableCount
        case .shed(let count): return shed(count, &context)
        case .countFaults: return checkInvariants() ? 0 : 1
        }
        return 0
    }

    @_noLocks private mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .ends:
            if due > context.now { return }
            due = Launcher.unknown
            performDueTakes(&context)
            endVoices(&context)
        case .boundaries:
            if due > context.now { return }
            for index in 0..<trackCount {
                perform(tracks[index].launch.advance(to: context.now), on: index, &context)
            }
            for index in 0..<trackCount where tracks[index].overdub.queue.frame <= context.now {
                fireOverdub(of: index, &context)
            }
        case .wraps:
            if due > context.now { return }
            pool.bend(context.timeline)
            wrapVoices(&context)
        case .leadIns:
            if due > context.now { return }
            updateLeadIns(context.timeline)
            for track in 0..<trackCount {
                let isPlaying = tracks[track].voice >= 0 && !tracks[track].overdub.isRecording
                tracks[track].monitor.update(isPlaying: isPlaying, context.timeline)
            }
        case .wake:
            if due == Launcher.unknown { due = nextDueFrame(context.timeline) }
            assert(due == nextDueFrame(context.timeline), "nothing that is due changes unnoticed")
            context.wake(at: due)
        case .fill(let slice):
            recorder.copy(context)
            fill(slice, &context)
        case .pass: recorder.copy(context)
        case .publish: publish(&context)
        case .streams, .clicks: break
        }
    }

    /// Stands for a frame that must be found.
    private static var unknown: FrameTime { @_noLocks get { FrameTime(rawValue: .min) } }

    /// Invalidates the next due frame, after something has happened to a track or a voice.
    @_noLocks mutating func forgetDue() { due = Launcher.unknown }

    /// Applies a timeline change of its own, after everything else.
    @_noLocks mutating func propagate(_ retiming: Retiming, _ context: inout RenderContext) {
        context.propagate(retiming)
        retime(retiming, &context)
    }

    /// Whether clips play or are queued.
    var holdsBeats: Bool {
        @_noLocks get {
            for index in 0..<trackCount {
                if tracks[index].voice >= 0 || !tracks[index].queue.isEmpty { return true }
                if let _ = tracks[index].take { return true }
            }
            return false
        }
    }

    /// Whether the invariants hold: tracks, voices and takes agree on who plays what, a voice that plays or leads in
    /// does so on one track, and every voice is where the tempo has it. O(tracks + voices + takes).
    @_noLocks func checkInvariants() -> Bool {
        if !pool.checkInvariants() || resolvedRetimings != pool.retimings { return false }
        var onTracks = 0
        for track in 0..<trackCount {
            if !checkTrack(track) { return false }
            if tracks[track].voice >= 0 { onTracks += 1 }
            if tracks[track].lead >= 0 { onTracks += 1 }
        }
        for index in 0..<pool.voiceEnd where voices[index].isPlaying || voices[index].isLeading { onTracks -= 1 }
        return onTracks == 0 && recorder.checkInvariants()
    }

    /// Whether the invariants of a track hold: its voice plays the clip that is said to play, its lead leads in, and
    /// every queued request has a frame.
    @_noLocks private func checkTrack(_ index: Int) -> Bool {
        let track = tracks[index]
        if track.voice >= pool.voiceEnd || (track.voice >= 0 && !voices[track.voice].isPlaying) { return false }
        if track.lead >= pool.voiceEnd || (track.lead >= 0 && !voices[track.lead].isLeading) { return false }
        if track.launch.playing != (track.voice >= 0 ? voices[track.voice].clip : -1) { return false }
        return track.checkInvariants()
    }
}

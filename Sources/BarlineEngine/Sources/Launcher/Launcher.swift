import BarlineDSP
import BarlineTime

/// The launcher, on the audio thread: what each track plays, its queued requests, and the voices.
struct Launcher: ~Copyable, Source, @unchecked Sendable {
    // First, because ThreadSanitizer takes the first property as the address written to, and the compiler crashes if it
    // is not a pointer (Swift 6.3.1); what it points to must belong to the audio thread.
    let tracks: UnsafeMutablePointer<TrackState>
    let trackCount: Int
    let voiceCount: Int
    let voices: UnsafeMutablePointer<ClipVoice>
    /// Voices of the pool from this index on are free.
    var voiceEnd = 0
    /// Voices of the pool before this index are in use.
    var takenEnd = 0
    /// The changes of tempo and metre so far; each voice has the number of the one after which it was restated.
    var retimings = 0
    /// The change after which all voices were restated, and the one after which the frames of boundaries were recomputed.
    var settledVoices = 0
    var settledLaunches = 0
    /// How often voices were restated.
    var restatements = 0
    let clips: UnsafeMutablePointer<UnsafePointer<ClipContent>?>
    var quantization: Quantization
    var firstLaunch: FirstLaunch
    /// The takes and layers under way.
    var recorder = ClipRecorder()
    /// A stretch voice for each of ``voices``; allocated with the first clip whose pitch is kept.
    var stretchPool: UnsafeMutablePointer<StretchPool>?
    /// The next due frame, or ``Launcher/unknown`` if something has happened since it was found. Up to there the
    /// launcher has nothing to do, and visits no voice.
    private var due = Launcher.unknown

    /// The board place of its tracks.
    let trackPlace: BoardPlace<TrackSnapshot>

    init(_ setup: inout SourceSetup) {
        let configuration = setup.configuration
        trackPlace = setup.places.claim(TrackSnapshot.self, count: configuration.trackCount)
        trackCount = configuration.trackCount
        tracks = .allocate(capacity: trackCount)
        tracks.initialize(repeating: TrackState(), count: trackCount)
        voiceCount = configuration.voiceCount
        voices = .allocate(capacity: voiceCount)
        clips = .allocate(capacity: configuration.clipCapacity)
        clips.initialize(repeating: nil, count: configuration.clipCapacity)
        quantization = configuration.launchQuantization
        firstLaunch = configuration.firstLaunch
    }

    deinit {
        tracks.deallocate()
        voices.deallocate()
        clips.deallocate()
    }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase):
            settleLaunches(context.timeline)
            settleVoices(context.timeline)
            run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .holdsBeats: return holdsBeats ? 1 : 0
        case .isReading(let content): return isReading(content, at: context.now) ? 1 : 0
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
            settleTakes(&context)
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
            bendVoices(context.timeline)
            wrapVoices(&context)
        case .leadIns:
            if due > context.now { return }
            updateLeadIns(context.timeline)
            updateMonitors(context.timeline)
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
    @_noLocks mutating func give(_ retiming: Retiming, _ context: inout RenderContext) {
        context.give(retiming)
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

    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool {
        for index in 0..<voiceEnd where !voices[index].isFree && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return recorder.isUsing(content)
    }

    /// Whether the invariants hold: tracks, voices and takes agree on who plays what, a voice that plays or leads in does
    /// so on one track, and every voice is where the tempo has it. O(tracks + voices + takes).
    @_noLocks func checkInvariants() -> Bool {
        if voiceEnd < 0 || voiceEnd > voiceCount || takenEnd < 0 || takenEnd > voiceEnd { return false }
        if settledVoices != retimings || settledLaunches != retimings { return false }
        for index in 0..<takenEnd where voices[index].isFree { return false }
        var onTracks = 0
        for track in 0..<trackCount {
            if !checkTrack(track) { return false }
            if tracks[track].voice >= 0 { onTracks += 1 }
            if tracks[track].lead >= 0 { onTracks += 1 }
        }
        for index in 0..<voiceEnd where !voices[index].isFree {
            if !voices[index].checkInvariants() { return false }
            if voices[index].isPlaying || voices[index].isLeading { onTracks -= 1 }
        }
        return onTracks == 0 && recorder.checkInvariants()
    }

    /// Whether the invariants of a track hold: its voice plays the clip that is said to play, its lead leads in, and every
    /// queued request has a frame.
    @_noLocks private func checkTrack(_ index: Int) -> Bool {
        let track = tracks[index]
        if track.voice >= voiceEnd || (track.voice >= 0 && !voices[track.voice].isPlaying) { return false }
        if track.lead >= voiceEnd || (track.lead >= 0 && !voices[track.lead].isLeading) { return false }
        if track.launch.playing != (track.voice >= 0 ? voices[track.voice].clip : -1) { return false }
        return track.launch.checkInvariants() && track.overdub.queue.checkInvariants()
            && track.monitor.checkInvariants()
    }
}

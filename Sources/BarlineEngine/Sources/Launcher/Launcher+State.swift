import BarlineDSP
import BarlineTime

/// A snapshot of a track, for displays.
struct TrackSnapshot: BitwiseCopyable {
    /// The clip that plays, or −1.
    var clip = -1
    var progress = 0.0
    var sourceFrame = 0.0
    var iteration: Int64 = 0
    var request: LaunchQueue.Request
    /// The frame of the queued request.
    var queuedFrame: FrameTime

    @_noLocks init(_ queue: LaunchQueue) {
        request = queue.request
        queuedFrame = queue.frame
    }
}

/// Publishing the launcher for displays.
extension Launcher {
    @_noLocks func publish(_ context: inout RenderContext) {
        let inUse = pool.usedCount
        var isWaiting = false
        for track in 0..<trackCount where !tracks[track].queue.isEmpty { isWaiting = true }
        context.note(voicesInUse: inUse, isBusy: inUse > 0 || isWaiting)
        let board = context.link.board
        for track in 0..<trackCount { board.put(snapshot(ofTrack: track, context.timeline), at: trackPlace, track) }
    }

    @_noLocks private func snapshot(ofTrack track: Int, _ timeline: borrowing Timeline) -> TrackSnapshot {
        let state = tracks[track]
        var snapshot = TrackSnapshot(state.queue)
        if state.voice >= 0 {
            let voice = voices[state.voice]
            let length = Double(voice.content.pointee.region.length)
            let position = pool.sourcePosition(ofVoice: state.voice, timeline)
            snapshot.clip = voice.clip
            snapshot.progress = position > 0 ? position / length : 0
            snapshot.sourceFrame = position * voice.content.pointee.sourceScale
            snapshot.iteration = voice.iteration
        }
        return snapshot
    }
}

extension EngineState.Track {
    init(_ track: TrackSnapshot, now: FrameTime, strip: EngineState.Strip) {
        playing =
            track.clip < 0
            ? nil
            : EngineState.Playing(
                clip: ClipHandle(track.clip), progress: track.progress, sourceFrame: track.sourceFrame,
                iteration: Int(track.iteration))
        let framesLeft = max(0, track.queuedFrame - now)
        switch track.request {
        case .nothing: queued = nil
        case .stop: queued = EngineState.Queued(clip: nil, framesLeft: framesLeft)
        case .launch(let clip): queued = EngineState.Queued(clip: ClipHandle(clip), framesLeft: framesLeft)
        }
        self.strip = strip
    }
}

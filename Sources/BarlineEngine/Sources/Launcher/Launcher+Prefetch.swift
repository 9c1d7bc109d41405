import BarlineDSP
import BarlineTime
import CRealtime

/// Prefetching streamed clips whose launch is queued: they need not start at their first frame.
extension Launcher {
    /// Announces where queued clips that are streamed will be on their boundary. O(tracks).
    @_noLocks mutating func prefetch(_ timeline: borrowing Timeline) {
        for track in 0..<trackCount {
            guard case .launch(let clip) = tracks[track].queue.request, let content = clips[clip],
                let stream = content.pointee.stream
            else { continue }
            prefetch(clip, content, stream, on: track, timeline)
        }
    }

    @_noLocks private mutating func prefetch(
        _ clip: Int, _ content: UnsafePointer<ClipContent>, _ stream: ClipStream, on track: Int,
        _ timeline: borrowing Timeline
    ) {
        let boundary = tracks[track].queue.beat
        let (voice, _) = pool.cue(clip, content, at: boundary, after: tracks[track].voice, timeline)
        let position =
            content.pointee.isSynced
            ? content.pointee.position(atBeat: boundary - voice.originBeat)
            : (voice.launch - voice.origin) * content.pointee.sourceRate / timeline.sampleRate.hertz
        let rate = content.pointee.rate(at: timeline.tempo.tempo(at: timeline.now), sampleRate: timeline.sampleRate)
        let lead = Double(content.pointee.fades.fadeInFrames(timeline.sampleRate)) * rate
        let ahead = ClipStream.secondsAhead * timeline.sampleRate.hertz * rate
        stream.publish(
            ClipStream.launchPlace, from: Int64(rt_floor(position - lead)) - ClipStream.reach,
            until: Int64(rt_ceil(position + ahead)) + ClipStream.reach)
    }
}

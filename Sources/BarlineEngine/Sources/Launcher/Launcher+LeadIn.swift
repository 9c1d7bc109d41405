import BarlineTime

/// The lead-ins of queued launches.
extension Launcher {
    /// Starts, retargets and cancels lead-ins according to the queues. Idempotent while nothing changes.
    @_noLocks mutating func updateLeadIns(_ timeline: borrowing Timeline) {
        for track in 0..<trackCount { updateLeadIn(on: track, timeline) }
    }

    @_noLocks private mutating func updateLeadIn(on track: Int, _ timeline: borrowing Timeline) {
        let lead = tracks[track].lead
        if leadInStart(on: track, timeline) > timeline.now {
            if lead >= 0 { cancelLeadIn(on: track, timeline) }
            return
        }
        guard case .launch(let clip) = tracks[track].queue.request, let content = clips[clip] else { return }
        let (voice, offset) = pool.cue(
            clip, content, at: tracks[track].queue.beat, after: tracks[track].voice, timeline)
        if lead >= 0 {
            if LeadIn.leads(voices[lead], to: voice) {
                pool.aim(lead: lead, at: tracks[track].queue.frame, timeline)
                return
            }
            cancelLeadIn(on: track, timeline)
        }
        if LeadIn.isFirstFrame(offset) {
            tracks[track].lead = pool.lead(to: voice, due: tracks[track].queue.frame, timeline)
        }
    }

    /// The frame at which the next lead-in on `track` begins, or the end of time.
    @_noLocks func nextLeadIn(on track: Int, _ timeline: borrowing Timeline) -> FrameTime {
        if tracks[track].lead >= 0 { return .never }
        let start = leadInStart(on: track, timeline)
        return start > timeline.now ? start : .never
    }

    /// The frame from which on the queued clip may be faded in, or the end of time if none is queued or none can be.
    @_noLocks private func leadInStart(on track: Int, _ timeline: borrowing Timeline) -> FrameTime {
        let queue = tracks[track].queue
        guard case .launch(let clip) = queue.request, let content = clips[clip] else { return .never }
        // A loop whose end is incomplete has nothing that leads up to its start.
        if let take = recorder.take(with: content), !take.pointee.isWhole { return .never }
        // The start position depends on where the outgoing clip is on the boundary itself.
        if case .legato = content.pointee.startPosition, !content.pointee.isSynced, tracks[track].voice >= 0 {
            return .never
        }
        return LeadIn.start(of: content, boundary: queue.beat, due: queue.frame, timeline)
    }

    @_noLocks private mutating func cancelLeadIn(on track: Int, _ timeline: borrowing Timeline) {
        pool.fade(voice: tracks[track].lead, frames: timeline.fadeFrames, timeline)
        tracks[track].lead = -1
    }
}

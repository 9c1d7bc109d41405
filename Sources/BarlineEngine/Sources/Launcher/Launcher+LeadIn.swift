import BarlineDSP
import BarlineTime
import CRealtime

/// The lead-in of a clip: it fades in over the frames before its boundary, from the audio before that position in the
/// file. So the first transient is intact, and there is no discontinuity.
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
        let (voice, offset) = cue(clip, content, on: track, boundary: tracks[track].queue.beat, timeline)
        if lead >= 0 {
            if isLeadIn(voices[lead], of: voice) {
                aimLeadIn(lead, at: tracks[track].queue.frame, timeline)
                return
            }
            cancelLeadIn(on: track, timeline)
        }
        if isFirstFrame(offset) { beginLeadIn(voice, on: track, timeline) }
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
        let frames = content.pointee.fades.fadeInFrames(timeline.sampleRate)
        if frames == 0 || queue.frame <= timeline.now { return .never }
        let start = queue.frame - frames
        if content.pointee.loops { return start }
        if content.pointee.leadRegion.framesBefore == 0 { return .never }
        let fileStart = frameOfFileStart(content, boundary: queue.beat, timeline)
        if fileStart >= queue.frame { return .never }
        return fileStart > start ? fileStart : start
    }

    /// The first frame at which a clip that starts on `boundary` is within its file.
    @_noLocks private func frameOfFileStart(
        _ content: UnsafePointer<ClipContent>, boundary: Beat, _ timeline: borrowing Timeline
    ) -> FrameTime {
        let before = Double(content.pointee.leadRegion.framesBefore)
        let exact =
            content.pointee.isSynced
            ? timeline.tempo.exactFrame(of: boundary + content.pointee.beat(atPosition: -before))
            : timeline.tempo.exactFrame(of: boundary) - before * timeline.sampleRate.hertz / content.pointee.sourceRate
        return FrameTime(rawValue: FrameRounding.atOrAfter(exact))
    }

    @_noLocks private mutating func beginLeadIn(_ cued: ClipVoice, on track: Int, _ timeline: borrowing Timeline) {
        let due = tracks[track].queue.frame
        let fades = cued.content.pointee.fades
        let room = due - timeline.now
        let isShort = room < fades.fadeInFrames(timeline.sampleRate)
        if isShort, !fades.hasOwnFadeIn, !fades.startsLoud { return }
        let index = freeVoice()
        if index < 0 { return }
        voices[index] = cued
        voices[index].phase = .leading
        voices[index].isEarly = true
        voices[index].leadsTo = due
        voices[index].envelope = Ramp(
            from: 0, to: 1, start: timeline.now, frames: entranceFrames(fades, room: room, level: 0, timeline))
        tracks[track].lead = index
        beginStretch(ofVoice: index)
        anchor(voice: index, timeline)
    }

    /// Retargets a lead-in whose boundary has moved.
    @_noLocks private func aimLeadIn(_ index: Int, at due: FrameTime, _ timeline: borrowing Timeline) {
        if voices[index].leadsTo == due { return }
        let envelope = voices[index].envelope
        let frames = entranceFrames(
            voices[index].content.pointee.fades, room: due - timeline.now, level: envelope.value(at: timeline.now),
            timeline)
        voices[index].leadsTo = due
        voices[index].envelope = envelope.redirected(to: 1, at: timeline.now, frames: frames)
    }

    /// The tolerance of a fade's remaining frames, because levels are of single precision.
    private static var fadeTolerance: Double { @_noLocks get { 0.01 } }

    /// The length of a clip's fade-in from `level` if its boundary is `room` frames away: until then, or slightly
    /// longer if that would be too steep.
    @_noLocks private func entranceFrames(_ fades: ClipFades, room: Int64, level: Float, _ timeline: borrowing Timeline)
        -> Int64
    {
        let needed = Double(1 - level) * Double(fades.fadeInFrames(timeline.sampleRate))
        if Double(room) + Launcher.fadeTolerance >= needed { return room }
        if fades.hasOwnFadeIn { return -Int64(rt_floor(Launcher.fadeTolerance - needed)) }
        return room + ClipFades.leastFrames(timeline.sampleRate)
    }

    @_noLocks private mutating func cancelLeadIn(on track: Int, _ timeline: borrowing Timeline) {
        fade(voice: tracks[track].lead, frames: timeline.fadeFrames, timeline)
        tracks[track].lead = -1
    }

    /// The distance within which two origins are equal, in quarter notes, or a first frame and a boundary, in source
    /// frames.
    private static var originTolerance: Double { @_noLocks get { 1e-6 } }
    /// The same tolerance per frame, where origins are frames.
    private static var tolerancePerFrame: Double { @_noLocks get { 1e-3 } }

    /// Whether `voice` is a lead-in to what `cued` would start, at the same position.
    @_noLocks func isLeadIn(_ voice: ClipVoice, of cued: ClipVoice) -> Bool {
        if voice.isDetached || voice.clip != cued.clip || voice.content != cued.content { return false }
        let distance =
            cued.content.pointee.isSynced
            ? cued.originBeat - voice.originBeat : (cued.originFrame - voice.originFrame) * Launcher.tolerancePerFrame
        return distance < Launcher.originTolerance && distance > -Launcher.originTolerance
    }

    /// Whether a clip whose position on its boundary is `offset` source frames starts at its own first frame.
    @_noLocks func isFirstFrame(_ offset: Double) -> Bool {
        offset < Launcher.originTolerance && offset > -Launcher.originTolerance
    }

    /// The fade-in of a clip that starts at its own first frame without a lead-in.
    @_noLocks func bareEntrance(of content: UnsafePointer<ClipContent>, _ timeline: borrowing Timeline) -> Ramp {
        let fades = content.pointee.fades
        if !fades.hasOwnFadeIn, !fades.startsLoud { return Ramp(constant: 1) }
        let frames =
            fades.hasOwnFadeIn ? fades.fadeInFrames(timeline.sampleRate) : ClipFades.leastFrames(timeline.sampleRate)
        return Ramp(from: 0, to: 1, start: timeline.now, frames: frames)
    }
}

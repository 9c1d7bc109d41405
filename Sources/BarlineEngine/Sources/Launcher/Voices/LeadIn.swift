import BarlineDSP
import BarlineTime
import CRealtime

/// The lead-in of a clip: it fades in over the frames before its boundary, from the audio before that position in the
/// file. So the first transient is intact, and there is no discontinuity.
///
/// All of it follows from the clip's content and its boundary; the launcher compares that with what leads in.
enum LeadIn {
    /// The frame from which on a clip may be faded in that starts on `boundary`, which falls on `due`, or the end of
    /// time if it can't be.
    @_noLocks static func start(
        of content: UnsafePointer<ClipContent>, boundary: Beat, due: FrameTime, _ timeline: borrowing Timeline
    ) -> FrameTime {
        let frames = content.pointee.fades.fadeInFrames(timeline.sampleRate)
        if frames == 0 || due <= timeline.now { return .never }
        let start = due - frames
        if content.pointee.loops { return start }
        if content.pointee.leadRegion.framesBefore == 0 { return .never }
        let fileStart = frameOfFileStart(content, boundary: boundary, timeline)
        if fileStart >= due { return .never }
        return fileStart > start ? fileStart : start
    }

    /// The first frame at which a clip that starts on `boundary` is within its file.
    @_noLocks private static func frameOfFileStart(
        _ content: UnsafePointer<ClipContent>, boundary: Beat, _ timeline: borrowing Timeline
    ) -> FrameTime {
        let before = Double(content.pointee.leadRegion.framesBefore)
        let start =
            content.pointee.isSynced
            ? timeline.tempo.position(of: boundary + content.pointee.beat(atPosition: -before))
            : timeline.tempo.position(of: boundary) - before * timeline.sampleRate.hertz / content.pointee.sourceRate
        return start.atOrAfter
    }

    /// The tolerance of a fade's remaining frames, because levels are of single precision.
    private static var fadeTolerance: Double { @_noLocks get { 0.01 } }

    /// The length of a clip's fade-in from `level` if its boundary is `room` frames away: until then, or slightly
    /// longer if that would be too steep.
    @_noLocks static func frames(
        _ fades: ClipFades, room: Int64, level: Float, sampleRate: SampleRate
    ) -> Int64 {
        let needed = Double(1 - level) * Double(fades.fadeInFrames(sampleRate))
        if Double(room) + LeadIn.fadeTolerance >= needed { return room }
        if fades.hasOwnFadeIn { return -Int64(rt_floor(LeadIn.fadeTolerance - needed)) }
        return room + ClipFades.leastFrames(sampleRate)
    }

    /// The distance within which two origins are equal, in quarter notes, or a first frame and a boundary, in source
    /// frames.
    private static var originTolerance: Double { @_noLocks get { 1e-6 } }
    /// The same tolerance per frame, where origins are frames.
    private static var tolerancePerFrame: Double { @_noLocks get { 1e-3 } }

    /// Whether `voice` is a lead-in to what `cued` would start, at the same position.
    @_noLocks static func leads(_ voice: ClipVoice, to cued: ClipVoice) -> Bool {
        if voice.isDetached || voice.clip != cued.clip || voice.content != cued.content { return false }
        let distance =
            cued.content.pointee.isSynced
            ? cued.originBeat - voice.originBeat : (cued.origin - voice.origin) * LeadIn.tolerancePerFrame
        return distance < LeadIn.originTolerance && distance > -LeadIn.originTolerance
    }

    /// Whether a clip whose position on its boundary is `offset` source frames starts at its own first frame.
    @_noLocks static func isFirstFrame(_ offset: Double) -> Bool {
        offset < LeadIn.originTolerance && offset > -LeadIn.originTolerance
    }

    /// The fade-in of a clip that starts at its own first frame without a lead-in.
    @_noLocks static func fadeIn(of fades: ClipFades, _ timeline: borrowing Timeline) -> Ramp {
        if !fades.hasOwnFadeIn, !fades.startsLoud { return Ramp(constant: 1) }
        let frames =
            fades.hasOwnFadeIn ? fades.fadeInFrames(timeline.sampleRate) : ClipFades.leastFrames(timeline.sampleRate)
        return Ramp(from: 0, to: 1, start: timeline.now, frames: frames)
    }
}

extension VoicePool {
    /// Starts a lead-in to a cued voice whose boundary is at `due`, unless so little time is left that it is not
    /// needed.
    ///
    /// - Returns: its index, or −1 if there is none.
    @_noLocks mutating func lead(to cued: ClipVoice, due: FrameTime, _ timeline: borrowing Timeline) -> Int {
        let fades = cued.content.pointee.fades
        let room = due - timeline.now
        let isShort = room < fades.fadeInFrames(timeline.sampleRate)
        if isShort, !fades.hasOwnFadeIn, !fades.startsLoud { return -1 }
        let index = freeVoice()
        if index < 0 { return -1 }
        voices[index] = cued
        voices[index].phase = .leading
        voices[index].isEarly = true
        voices[index].leadsTo = due
        let frames = LeadIn.frames(fades, room: room, level: 0, sampleRate: timeline.sampleRate)
        voices[index].envelope = Ramp(from: 0, to: 1, start: timeline.now, frames: frames)
        beginStretch(ofVoice: index)
        anchor(voice: index, timeline)
        return index
    }

    /// Retargets a lead-in whose boundary has moved.
    @_noLocks func aim(lead index: Int, at due: FrameTime, _ timeline: borrowing Timeline) {
        if voices[index].leadsTo == due { return }
        let envelope = voices[index].envelope
        let frames = LeadIn.frames(
            voices[index].content.pointee.fades, room: due - timeline.now, level: envelope.value(at: timeline.now),
            sampleRate: timeline.sampleRate)
        voices[index].leadsTo = due
        voices[index].envelope = envelope.redirected(to: 1, at: timeline.now, frames: frames)
    }
}

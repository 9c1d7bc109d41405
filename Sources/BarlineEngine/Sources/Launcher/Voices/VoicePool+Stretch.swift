import BarlineDSP
import BarlineTime

/// Clips whose pitch is kept.
extension VoicePool {
    /// Resets the stretch state of a voice that starts.
    @_noLocks func beginStretch(ofVoice index: Int) {
        guard let stretchPool else { return }
        if voices[index].isFree {
            stretchPool.pointee.voices[index].reset()
        } else {
            stretchPool.pointee.voices[index].reset(place: voices[index].content.pointee.track)
        }
    }

    /// Forces a voice to replan, because its position changes from now on.
    @_noLocks func replanStretch(ofVoice index: Int) {
        guard let stretchPool else { return }
        stretchPool.pointee.voices[index].replan()
    }

    /// Reads a voice at its own pitch.
    @_noLocks func readStretched(
        voice index: Int, segment: TempoSegment, isRamping: Bool, count: Int, _ context: inout RenderContext
    ) {
        guard let stretchPool else { return }
        let voice = voices[index]
        let course =
            (isRamping || voice.content.pointee.isWarped) && voice.content.pointee.isSynced && !voice.isDetached
            ? StretchCourse(
                segment: segment, originBeat: voice.originBeat, framesPerBeat: voice.content.pointee.framesPerBeat,
                warp: voice.content.pointee.warp)
            : StretchCourse(
                anchorFrame: voice.anchorFrame, anchor: voice.anchor, step: voice.step, rate: voice.rate,
                segment: segment)
        stretchPool.pointee.render(
            voice: index, of: voice.content.pointee.stretch.source(voice.region, sampleRate: context.sampleRate),
            along: course, from: context.now.rawValue, count: count, left: context.scratch.voiceLeft,
            right: context.scratch.voiceRight)
    }
}

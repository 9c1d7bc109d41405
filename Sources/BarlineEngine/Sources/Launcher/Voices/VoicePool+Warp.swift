import BarlineDSP
import BarlineTime
import CRealtime

/// Clips with beats of unequal length: each segment between two bends has its own rate and anchor.
extension VoicePool {
    /// Restates a voice's position for the segment that begins now. If a pass of a loop is a whole number of frames,
    /// every pass has the same anchors, to the bit: they are counted from its beginning.
    @_noLocks func anchorWarped(
        voice index: Int, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        let voice = voices[index]
        let content = voice.content.pointee
        let segment = tempo.segment(at: timeline.now)
        // A bend nearer than this has been reached: rounding errors must not decide.
        let beat = segment.beat(at: timeline.now) - voice.originBeat + Beat.tolerance
        voices[index].rate = content.rate(
            at: segment.tempo(at: timeline.now), beat: beat, sampleRate: timeline.sampleRate)
        voices[index].step = SourcePosition(voices[index].rate)
        let cycle = content.loops ? rt_floor(beat / content.beats) : 0
        let bend = content.warp.bend(afterBeat: beat) - cycle * content.beats
        if segment.rampBeats > 0 {
            voices[index].anchor = SourcePosition(
                snapping: exactSourcePosition(of: voice, on: tempo, rolledFrom: rollFrame, timeline))
            voices[index].nextBend = bendFrame(
                tempo.exactFrame(of: voice.originBeat + cycle * content.beats + bend), timeline)
            return
        }
        let start = segment.exactFrame(of: voice.originBeat + cycle * content.beats)
        let cycleStart = rt_floor(start * 0x1p20 + 0.5) * 0x1p-20
        let framesPerBeat = segment.framesPerMinute / segment.endTempo.beatsPerMinute
        let within = content.warp.position(atBeat: (Double(timeline.now.rawValue) - cycleStart) / framesPerBeat)
        voices[index].anchor = SourcePosition(
            rawValue: SourcePosition(snapping: within).rawValue
                + SourcePosition(cycle * Double(content.region.length)).rawValue)
        voices[index].nextBend = bendFrame(cycleStart + bend * framesPerBeat, timeline)
    }

    /// The first frame at or after the next bend; the end of time if there is none.
    @_noLocks private func bendFrame(_ exact: Double, _ timeline: borrowing Timeline) -> FrameTime {
        if exact > 0x1p62 { return .never }
        let frame = FrameTime(rawValue: FrameRounding.atOrAfter(exact))
        return frame > timeline.now ? frame : timeline.now + 1
    }

    /// Restates the positions of voices whose beats change in length now.
    @_noLocks func bend(_ timeline: borrowing Timeline) {
        for index in 0..<voiceEnd where nextBend(of: voices[index]) <= timeline.now { anchor(voice: index, timeline) }
    }

    /// The frame of a voice's next bend, or the end of time. A voice whose pitch is kept handles bends itself.
    @_noLocks func nextBend(of voice: ClipVoice) -> FrameTime {
        voice.isFree || voice.isDetached || voice.content.pointee.stretch.isOn
            ? .never : voice.nextBend
    }
}

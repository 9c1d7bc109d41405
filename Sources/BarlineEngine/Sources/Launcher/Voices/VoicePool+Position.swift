import BarlineDSP
import BarlineTime
import CRealtime

/// The positions of clips: when they wrap and when they end.
extension VoicePool {
    @_noLocks func anchor(voice index: Int, _ timeline: borrowing Timeline) {
        anchor(voice: index, on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    /// Restates a voice's position for the segment of constant tempo that begins now.
    @_noLocks func anchor(
        voice index: Int, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        let content = voices[index].content.pointee
        voices[index].anchorFrame = timeline.now
        voices[index].retiming = retimings
        if content.isSynced, content.isWarped {
            anchorWarped(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
        } else {
            let rate = content.rate(at: tempo.tempo(at: timeline.now), sampleRate: timeline.sampleRate)
            voices[index].rate = rate
            voices[index].step = SourcePosition(rate)
            voices[index].nextBend = .never
            voices[index].anchor = SourcePosition(
                snapping: exactSourcePosition(of: voices[index], on: tempo, rolledFrom: rollFrame, timeline))
        }
        replanStretch(ofVoice: index)
    }

    @_noLocks private func exactSourcePosition(of voice: ClipVoice, _ timeline: borrowing Timeline) -> Double {
        exactSourcePosition(of: voice, on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    @_noLocks func exactSourcePosition(
        of voice: ClipVoice, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime,
        _ timeline: borrowing Timeline
    ) -> Double {
        let content = voice.content.pointee
        if !content.isSynced { return (timeline.now - voice.origin) * voice.rate }
        let segment = tempo.segment(at: timeline.now)
        if content.isWarped { return content.position(atBeat: segment.beat(at: timeline.now) - voice.originBeat) }
        let beatsToOrigin = voice.originBeat - segment.startBeat
        // Within a segment of constant tempo, counting frames keeps whole frames whole.
        if segment.rampBeats == 0, beatsToOrigin >= 0 || segment.startFrame == rollFrame {
            return (Double(timeline.now - segment.startFrame) - segment.frames(inBeats: beatsToOrigin)) * voice.rate
        }
        return (segment.beat(at: timeline.now) - voice.originBeat) * content.framesPerBeat
    }

    /// The position of a voice within its region, in source frames; slightly negative after a start that was rounded to
    /// an earlier frame.
    @_noLocks func sourcePosition(ofVoice index: Int, _ timeline: borrowing Timeline) -> Double {
        let voice = voices[index]
        let content = voice.content.pointee
        let exact = exactSourcePosition(of: voice, timeline)
        let length = Double(content.region.length)
        if !content.loops || exact < length { return exact }
        return exact - rt_floor(exact / length) * length
    }

    // MARK: Loop

    @_noLocks func findIteration(ofVoice index: Int, _ timeline: borrowing Timeline) {
        let content = voices[index].content.pointee
        let position = exactSourcePosition(of: voices[index], timeline)
        voices[index].iteration = Int64(rt_floor(position / Double(content.region.length)))
        if voices[index].iteration < 0 { voices[index].iteration = 0 }
        findEdges(ofVoice: index, timeline)
        while voices[index].nextWrap <= timeline.now {
            voices[index].iteration += 1
            findEdges(ofVoice: index, timeline)
        }
    }

    /// Finds the frames of the voice's next wrap and of its end.
    @_noLocks func findEdges(ofVoice index: Int, _ timeline: borrowing Timeline) {
        findEdges(ofVoice: index, on: timeline.tempo, timeline)
    }

    @_noLocks func findEdges(ofVoice index: Int, on tempo: borrowing TempoMap, _ timeline: borrowing Timeline) {
        let content = voices[index].content.pointee
        let edge = edgeFrame(
            of: voices[index], cycle: content.loops ? voices[index].iteration + 1 : 1, on: tempo, timeline)
        if content.loops {
            voices[index].nextWrap = edge
        } else {
            voices[index].end = edge > timeline.now ? edge : timeline.now
            if !voices[index].isPlaying {
                let envelope = voices[index].envelope
                aimFade(ofVoice: index, frames: envelope.start + envelope.frames - timeline.now, timeline)
            } else if voices[index].isEnding, content.fades.fadesTail {
                aimTail(ofVoice: index, timeline)
            }
        }
    }

    /// Retargets a tail fade whose end has moved with the tempo.
    @_noLocks private func aimTail(ofVoice index: Int, _ timeline: borrowing Timeline) {
        let left = voices[index].end - timeline.now
        voices[index].isEnding = left <= voices[index].content.pointee.fades.fadeOutFrames(timeline.sampleRate)
        voices[index].envelope =
            voices[index].isEnding
            ? voices[index].envelope.redirected(to: 0, at: timeline.now, frames: left)
            : voices[index].envelope.redirected(to: 1, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// The frame at which the voice completes pass number `cycle` through its region.
    @_noLocks private func edgeFrame(
        of voice: ClipVoice, cycle: Int64, on tempo: borrowing TempoMap, _ timeline: borrowing Timeline
    ) -> FrameTime {
        let content = voice.content.pointee
        if content.isSynced { return tempo.frame(of: voice.originBeat + Double(cycle) * content.beats) }
        let period = Double(content.region.length) * timeline.sampleRate.hertz / content.sourceRate
        return (voice.origin + Double(cycle) * period).nearest
    }

    /// Whether the pass that the voice has counted last begins now.
    @_noLocks func beginsPass(voice index: Int, _ timeline: borrowing Timeline) -> Bool {
        let voice = voices[index]
        if voice.iteration <= 0 || !voice.content.pointee.loops { return false }
        return edgeFrame(of: voice, cycle: voice.iteration, on: timeline.tempo, timeline) == timeline.now
    }

    /// Has the pass that the voice has counted last counted again.
    @_noLocks func recountPass(ofVoice index: Int, _ timeline: borrowing Timeline) {
        voices[index].iteration -= 1
        findEdges(ofVoice: index, timeline)
    }

    /// The number of whole passes from the voice's origin to now.
    @_noLocks func cycles(of voice: ClipVoice, _ timeline: borrowing Timeline) -> Int64 {
        let content = voice.content.pointee
        if content.isSynced {
            return Int64(rt_floor((timeline.tempo.beat(at: timeline.now) - voice.originBeat) / content.beats))
        }
        let elapsed = (timeline.now - voice.origin) * content.sourceRate / timeline.sampleRate.hertz
        return Int64(rt_floor(elapsed / Double(content.region.length)))
    }
}

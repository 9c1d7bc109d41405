import BarlineDSP
import BarlineTime

/// The signal of voices.
extension VoicePool {
    /// Reads a voice at its current position.
    ///
    /// - Returns: what was read: in the scratch, or where it is in memory.
    @_noLocks func read(
        voice index: Int, segment: TempoSegment, isRamping: Bool, count: Int, _ context: inout RenderContext
    ) -> StereoBuffer {
        if let stream = voices[index].content.pointee.stream {
            return readStreamed(
                voice: index, stream, segment: segment, isRamping: isRamping, count: count, &context)
        }
        if let frames = wholeFrames(ofVoice: index, isRamping: isRamping, count: count, context) { return frames }
        readFrames(voice: index, segment: segment, isRamping: isRamping, count: count, &context)
        return context.scratch.source
    }

    /// The frames of a voice as they lie in memory, where they are played as they are.
    @_noLocks func wholeFrames(
        ofVoice index: Int, isRamping: Bool, count: Int, _ context: borrowing RenderContext
    ) -> StereoBuffer? {
        let voice = voices[index]
        if voice.content.pointee.stretch.isOn || isRamping && voice.content.pointee.isSynced && !voice.isDetached {
            return nil
        }
        guard
            let frames = context.reader.frames(
                of: voice.region, at: voice.position(at: context.now), step: voice.step, count: count)
        else { return nil }
        return StereoBuffer(
            left: UnsafeMutablePointer(mutating: frames.left), right: UnsafeMutablePointer(mutating: frames.right))
    }

    /// Reads a voice whose frames are in memory.
    @_noLocks func readFrames(
        voice index: Int, segment: TempoSegment, isRamping: Bool, count: Int, _ context: inout RenderContext
    ) {
        let voice = voices[index]
        if voice.content.pointee.stretch.isOn {
            readStretched(voice: index, segment: segment, isRamping: isRamping, count: count, &context)
        } else if isRamping, voice.content.pointee.isSynced, !voice.isDetached {
            readRamping(voice, segment: segment, count: count, &context)
        } else {
            context.reader.read(
                voice.region, from: voice.position(at: context.now), step: voice.step,
                filter: context.reader.steadyFilter(rate: voice.rate), count: count, left: context.scratch.voiceLeft,
                right: context.scratch.voiceRight)
        }
    }

    /// Reads a voice during a tempo ramp: every frame has its own position and rate.
    @_noLocks private func readRamping(
        _ voice: ClipVoice, segment: TempoSegment, count: Int, _ context: inout RenderContext
    ) {
        let content = voice.content.pointee
        let region = voice.region
        let origin = voice.originBeat.rawValue
        for frame in 0..<count {
            let beat = context.scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = content.rate(at: Tempo(clamping: bpm), beat: beat - origin, sampleRate: context.sampleRate)
            let position = SourcePosition(content.position(atBeat: beat - origin))
            let sample = context.reader.frame(of: region, at: position, filter: context.reader.filter(rate: rate))
            context.scratch.voiceLeft[frame] = sample.left
            context.scratch.voiceRight[frame] = sample.right
        }
    }
}

extension ClipVoice {
    /// Mixes what was read of the voice into its track, or, if it is the first, replaces the track's signal.
    @_noLocks func add(_ source: StereoBuffer, isFirst: Bool, count: Int, _ context: inout RenderContext) {
        let signal = context.scratch.signal
        if envelope.isSettled(at: context.now), gain.isSettled(at: context.now) {
            let level = envelope.target * gain.target
            if isFirst {
                signal.set(source, gain: level, count)
            } else {
                signal.add(source, gain: level, count)
            }
        } else {
            if isFirst { signal.clear(count) }
            signal.add(source, gains: envelope, gain, at: context.now, count)
        }
    }
}

import CRealtime

/// A segment of the timeline over which the tempo is constant, or ramps to a new value and then stays there.
///
/// Everything is computed from the segment's start, so no error accumulates however long it lasts. A ramp is linear
/// in beats: at `x` beats from the start the tempo is `startTempo + slope · x`. The frames that a span of beats takes
/// is then the integral of `1 / tempo`, a logarithm, and its inverse an exponential.
@usableFromInline package struct TempoSegment: Hashable, Sendable, BitwiseCopyable {
    /// The frame at which the segment begins.
    @usableFromInline package let startFrame: FrameTime
    /// The beat at `startFrame`.
    @usableFromInline package let startBeat: Beat
    /// The tempo at `startFrame`.
    @usableFromInline package let startTempo: Tempo
    /// The tempo from the ramp's end on; equal to `startTempo` if there is no ramp.
    @usableFromInline package let endTempo: Tempo
    /// The length of the ramp in quarter notes; 0 if there is none.
    @usableFromInline package let rampBeats: Double
    /// The length of the ramp in frames, not rounded; 0 if there is none.
    @usableFromInline package let rampFrames: Double
    /// Frames per minute at the engine's sample rate.
    @usableFromInline package let framesPerMinute: Double

    /// Creates a segment from `startFrame` on.
    ///
    /// - Parameters:
    ///   - startFrame: the frame at which it begins.
    ///   - startBeat: the beat there.
    ///   - tempo: the tempo there.
    ///   - endTempo: the tempo at the end of the ramp.
    ///   - rampBeats: the ramp's length in quarter notes, up to a billion; 0 or less means none, and `endTempo` holds at
    ///     once.
    ///   - sampleRate: the engine's sample rate.
    @_noLocks @inlinable package init(
        startFrame: FrameTime, startBeat: Beat, tempo: Tempo, endTempo: Tempo, rampBeats: Double,
        sampleRate: SampleRate
    ) {
        self.startFrame = startFrame
        self.startBeat = startBeat
        framesPerMinute = sampleRate.framesPerMinute
        let difference = endTempo.beatsPerMinute - tempo.beatsPerMinute
        // Below a billionth of a BPM the logarithm's argument has no digits left, and the difference is irrelevant. A ramp
        // of less than a billionth of a beat is over within its first frame, and its slope may be no number.
        if rampBeats > 1e-9, difference > 1e-9 || difference < -1e-9 {
            startTempo = tempo
            self.endTempo = endTempo
            self.rampBeats = rampBeats < 1e9 ? rampBeats : 1e9
            let slope = difference / self.rampBeats
            rampFrames = framesPerMinute / slope * rt_log1p(difference / tempo.beatsPerMinute)
        } else {
            startTempo = endTempo
            self.endTempo = endTempo
            self.rampBeats = 0
            rampFrames = 0
        }
    }

    /// The same segment from `startFrame` on.
    @_noLocks @inlinable init(_ segment: TempoSegment, from startFrame: FrameTime) {
        self.startFrame = startFrame
        startBeat = segment.startBeat
        startTempo = segment.startTempo
        endTempo = segment.endTempo
        rampBeats = segment.rampBeats
        rampFrames = segment.rampFrames
        framesPerMinute = segment.framesPerMinute
    }

    /// The engine's sample rate.
    @inlinable package var sampleRate: SampleRate { @_noLocks get { SampleRate(unchecked: framesPerMinute / 60) } }

    /// The ramp's slope in BPM per quarter note.
    @inlinable package var slope: Double {
        @_noLocks get {
            rampBeats > 0 ? (endTempo.beatsPerMinute - startTempo.beatsPerMinute) / rampBeats : 0
        }
    }

    /// The first frame from which on the tempo is constant.
    @inlinable package var constantFrom: FrameTime {
        @_noLocks get {
            rampBeats > 0 ? startFrame + FrameRounding.atOrAfter(rampFrames) : startFrame
        }
    }

    /// The number of quarter notes in the first `frames` frames, which need not be whole and may be negative.
    @_noLocks @inlinable package func beats(inFrames frames: Double) -> Double {
        if rampBeats == 0 || frames > rampFrames {
            return rampBeats + (frames - rampFrames) * endTempo.beatsPerMinute / framesPerMinute
        }
        if frames < 0 { return frames * startTempo.beatsPerMinute / framesPerMinute }
        let slope = slope
        return startTempo.beatsPerMinute / slope * rt_expm1(slope * frames / framesPerMinute)
    }

    /// The number of frames, not rounded, of the first `beats` quarter notes; negative before the segment's start.
    @_noLocks @inlinable package func frames(inBeats beats: Double) -> Double {
        if rampBeats == 0 || beats > rampBeats {
            return rampFrames + (beats - rampBeats) * framesPerMinute / endTempo.beatsPerMinute
        }
        if beats < 0 { return beats * framesPerMinute / startTempo.beatsPerMinute }
        let slope = slope
        return framesPerMinute / slope * rt_log1p(slope * beats / startTempo.beatsPerMinute)
    }

    /// The beat at `frame`.
    @_noLocks @inlinable package func beat(at frame: FrameTime) -> Beat {
        startBeat + beats(inFrames: Double(frame - startFrame))
    }

    /// The position of `beat` on the timeline, in frames, not rounded.
    @_noLocks @inlinable package func exactFrame(of beat: Beat) -> Double {
        Double(startFrame.rawValue) + frames(inBeats: beat - startBeat)
    }

    /// The position of `beat` on the timeline, as precise however long the engine has run.
    @_noLocks @inlinable package func position(of beat: Beat) -> FramePosition {
        FramePosition(startFrame, offset: frames(inBeats: beat - startBeat))
    }

    /// The frame nearest to `beat`.
    @_noLocks @inlinable package func frame(of beat: Beat) -> FrameTime {
        startFrame + FrameRounding.nearest(frames(inBeats: beat - startBeat))
    }

    /// The tempo at `frame`.
    @_noLocks @inlinable package func tempo(at frame: FrameTime) -> Tempo {
        let elapsed = Double(frame - startFrame)
        if rampBeats == 0 || elapsed >= rampFrames { return endTempo }
        if elapsed <= 0 { return startTempo }
        return Tempo(clamping: startTempo.beatsPerMinute * rt_exp(slope * elapsed / framesPerMinute))
    }
}

import BarlineDSP
import BarlineTime

/// The voices of clips, on the audio thread: which are free, where each is in its source, how it is heard and when it
/// ends. It knows no tracks: the launcher says what starts and stops.
///
/// Voices are taken from the lowest place on, so that the choice depends on the timeline alone.
struct VoicePool: ~Copyable, @unchecked Sendable {
    let voices: UnsafeMutablePointer<ClipVoice>
    private let capacity: Int
    /// Voices from this index on are free.
    private(set) var voiceEnd = 0
    /// Voices before this index are in use.
    private var takenEnd = 0
    /// The changes of tempo and metre so far; each voice has the number of the one after which it was restated.
    private(set) var retimings = 0
    /// The change after which all voices were restated.
    private var anchoredRetimings = 0
    /// How often voices were restated.
    private(set) var reanchorings = 0
    /// A stretch voice for each of ``voices``; allocated with the first clip whose pitch is kept.
    var stretchPool: UnsafeMutablePointer<StretchPool>?

    /// Creates a pool of free voices.
    init(capacity: Int) {
        self.capacity = capacity
        voices = .allocate(capacity: capacity)
    }

    deinit { voices.deallocate() }

    /// The number of voices in use.
    ///
    /// - Complexity: O(*n*) in the voices.
    var usedCount: Int {
        @_noLocks get {
            var count = 0
            for index in 0..<voiceEnd where !voices[index].isFree { count += 1 }
            return count
        }
    }

    /// Whether a voice reads `content`.
    @_noLocks func isReading(_ content: UnsafeRawPointer) -> Bool {
        for index in 0..<voiceEnd where !voices[index].isFree && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return false
    }

    /// Whether the invariants hold: voices in use are before the free ones, each holds its own, and all are where the
    /// tempo has them. O(voices).
    @_noLocks func checkInvariants() -> Bool {
        if voiceEnd < 0 || voiceEnd > capacity || takenEnd < 0 || takenEnd > voiceEnd { return false }
        if anchoredRetimings != retimings { return false }
        for index in 0..<takenEnd where voices[index].isFree { return false }
        for index in 0..<voiceEnd where !voices[index].isFree && !voices[index].checkInvariants() { return false }
        return true
    }

    // MARK: Taking and freeing

    /// The lowest free index of the pool, so that the choice depends on the timeline alone; −1 if none is free.
    @_noLocks mutating func freeVoice() -> Int {
        while takenEnd < voiceEnd, !voices[takenEnd].isFree { takenEnd += 1 }
        if takenEnd == capacity { return -1 }
        if takenEnd == voiceEnd { voiceEnd += 1 }
        return takenEnd
    }

    /// Starts a voice at a free place, or in that of the voice that has led in to it.
    @_noLocks func start(_ voice: ClipVoice, at index: Int, isLed: Bool = false, _ timeline: borrowing Timeline) {
        if isLed {
            let led = voices[index]
            voices[index] = voice
            voices[index].place = led.place
            voices[index].isStarved = led.isStarved
            voices[index].supply = led.supply
        } else {
            voices[index] = voice
            beginStretch(ofVoice: index)
        }
        anchor(voice: index, timeline)
        findIteration(ofVoice: index, timeline)
    }

    @_noLocks private mutating func free(voice index: Int) {
        leaveStream(ofVoice: index)
        voices[index].phase = .free
        if index < takenEnd { takenEnd = index }
    }

    /// Shortens what is visited to the voices in use.
    @_noLocks mutating func trim() {
        while voiceEnd > 0, voices[voiceEnd - 1].isFree { voiceEnd -= 1 }
    }

    // MARK: Fades

    /// Sets the gain of a clip's voices that are not fading out.
    @_noLocks func changeGain(ofClip clip: Int, to gain: Float, _ timeline: borrowing Timeline) {
        for index in 0..<voiceEnd where voices[index].clip == clip {
            if !voices[index].isPlaying, !voices[index].isLeading { continue }
            voices[index].gain = voices[index].gain.redirected(to: gain, at: timeline.now, frames: timeline.fadeFrames)
        }
    }

    /// Fades a voice out over `frames` frames, from now on.
    @_noLocks mutating func fade(voice index: Int, frames: Int64, _ timeline: borrowing Timeline) {
        reanchorIfStale(voice: index, timeline)
        voices[index].phase = .fading
        aimFade(ofVoice: index, frames: frames, timeline)
    }

    /// Fades a voice out over `frames` frames, or until the end of a one-shot, if that is nearer.
    @_noLocks func aimFade(ofVoice index: Int, frames: Int64, _ timeline: borrowing Timeline) {
        let left = voices[index].end - timeline.now
        voices[index].envelope = voices[index].envelope.redirected(
            to: 0, at: timeline.now, frames: left < frames ? left : frames)
    }

    /// Fades a voice out unchanged, and `voice` in at its own position.
    @_noLocks mutating func crossfade(
        from index: Int, to voice: ClipVoice, at freeIndex: Int, frames: Int64, _ timeline: borrowing Timeline
    ) {
        // A long fade-in continues.
        let rampInFrames = voice.envelope.target == 1 ? voice.envelope.start + voice.envelope.frames - timeline.now : 0
        fade(voice: index, frames: frames, timeline)
        voices[freeIndex] = voice
        voices[freeIndex].envelope = Ramp(
            from: 0, to: 1, start: timeline.now, frames: rampInFrames > frames ? rampInFrames : frames)
        voices[freeIndex].isEnding = false
        voices[freeIndex].isEarly = false
        voices[freeIndex].place = -1
        voices[freeIndex].isStarved = false
        voices[freeIndex].supply = Ramp(constant: 1)
        voices[freeIndex].nextWrap = .never
        voices[freeIndex].end = .never
        beginStretch(ofVoice: freeIndex)
        anchor(voice: freeIndex, timeline)
        findIteration(ofVoice: freeIndex, timeline)
    }

    // MARK: Ends and wraps

    /// Frees a voice that has faded out, and begins the fade of a one-shot's tail.
    ///
    /// - Returns: whether it was a one-shot that has ended.
    @_noLocks mutating func end(voice index: Int, _ timeline: borrowing Timeline) -> Bool {
        switch voices[index].phase {
        case .free, .leading: break
        case .fading:
            let envelope = voices[index].envelope
            if timeline.now - envelope.start >= envelope.frames { free(voice: index) }
        case .playing:
            if voices[index].end <= timeline.now {
                free(voice: index)
                return true
            }
            if nextEndFrame(of: voices[index], timeline) <= timeline.now {
                voices[index].isEnding = true
                if voices[index].content.pointee.fades.fadesTail {
                    voices[index].envelope = voices[index].envelope.redirected(
                        to: 0, at: timeline.now, frames: voices[index].end - timeline.now)
                }
            }
        }
        return false
    }

    /// The next due frame of a one-shot: where its tail begins to fade, then its end.
    @_noLocks private func nextEndFrame(of voice: ClipVoice, _ timeline: borrowing Timeline) -> FrameTime {
        if voice.end.isNever || voice.isEnding { return voice.end }
        let tail = voice.end - voice.content.pointee.fades.fadeOutFrames(timeline.sampleRate)
        if voice.envelope.origin != 0 { return tail }
        // In a clip shorter than its fades, the fade-in comes before the fade-out.
        let room = (voice.end - voice.envelope.start) / 2
        let earliest = voice.envelope.start + (voice.envelope.frames < room ? voice.envelope.frames : room)
        return tail > earliest ? tail : earliest
    }

    /// Counts the wraps of a voice that fall on `now`. A loop shorter than a frame's step may wrap more than once.
    ///
    /// - Returns: whether there was one.
    @_noLocks func wrap(voice index: Int, _ timeline: borrowing Timeline) -> Bool {
        if !voices[index].isPlaying || voices[index].nextWrap > timeline.now { return false }
        // Many passes of a very short loop are skipped at once, except the last two.
        let cycles = cycles(of: voices[index], timeline)
        if cycles - 2 > voices[index].iteration { voices[index].iteration = cycles - 2 }
        while voices[index].nextWrap <= timeline.now {
            voices[index].iteration += 1
            findEdges(ofVoice: index, timeline)
        }
        return true
    }

    /// The frame at which something is due next: a bend, a wrap or an end.
    @_noLocks func nextDue(_ timeline: borrowing Timeline) -> FrameTime {
        var next = FrameTime.never
        for index in 0..<voiceEnd {
            next = earlier(next, nextBend(of: voices[index]))
            switch voices[index].phase {
            case .free, .leading: break
            case .playing:
                next = earlier(next, voices[index].nextWrap)
                next = earlier(next, nextEndFrame(of: voices[index], timeline))
            case .fading:
                let envelope = voices[index].envelope
                next = earlier(next, envelope.start + envelope.frames)
            }
        }
        return next
    }

    // MARK: Changes of the timeline

    /// Notes a change of tempo or metre: the voices are restated before anything reads them.
    @_noLocks mutating func noteRetiming() { retimings += 1 }

    /// Recomputes the voices' anchors after changes of tempo and metre: once a frame for all changes, before anything
    /// else reads them. A command that reads a voice earlier has that one recomputed (``reanchorIfStale(voice:_:)``).
    /// O(voices) if there was a change.
    @_noLocks mutating func reanchorIfStale(_ timeline: borrowing Timeline) {
        if anchoredRetimings != retimings { reanchor(timeline) }
    }

    /// Applies pending changes of the timeline that has just ended.
    @_noLocks mutating func reanchorOnFormer(_ timeline: borrowing Timeline) {
        if anchoredRetimings == retimings { return }
        reanchor(on: timeline.former, rolledFrom: timeline.formerRollFrame, timeline)
    }

    /// Restates a voice whose position or end a command is about to read.
    @_noLocks mutating func reanchorIfStale(voice index: Int, _ timeline: borrowing Timeline) {
        if voices[index].retiming == retimings || voices[index].isFree || voices[index].isDetached { return }
        reanchor(voice: index, on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    /// Restates every voice's position for the segment of constant tempo that begins now.
    @_noLocks mutating func reanchor(_ timeline: borrowing Timeline) {
        reanchor(on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    @_noLocks private mutating func reanchor(
        on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        for index in 0..<voiceEnd where !voices[index].isFree && !voices[index].isDetached {
            reanchor(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
        }
        anchoredRetimings = retimings
    }

    @_noLocks private mutating func reanchor(
        voice index: Int, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        anchor(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
        if !voices[index].isLeading { findEdges(ofVoice: index, on: tempo, timeline) }
        reanchorings += 1
    }

    /// Detaches voices from a timeline that has ended: from here on they continue as they did on it.
    @_noLocks mutating func detach(_ timeline: borrowing Timeline) {
        reanchor(on: timeline.former, rolledFrom: timeline.formerRollFrame, timeline)
        for index in 0..<voiceEnd { voices[index].isDetached = true }
    }

    /// Keeps the voices where they are while the sample rate changes, and has them restated from there.
    @_noLocks func changeRate(from old: SampleRate, to rate: SampleRate, _ timeline: borrowing Timeline) {
        let now = FramePosition(timeline.now)
        for index in 0..<voiceEnd where !voices[index].isFree {
            let sinceLaunch = (now - voices[index].launch) / old.hertz
            voices[index].launch = now - sinceLaunch * rate.hertz
            if voices[index].content.pointee.isSynced { continue }
            let position = voices[index].position(at: timeline.now).frames
            let seconds = position / voices[index].content.pointee.sourceRate
            voices[index].origin = now - seconds * rate.hertz
        }
        for index in 0..<voiceEnd { beginStretch(ofVoice: index) }
    }
}

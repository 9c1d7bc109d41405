import BarlineDSP
import BarlineTime
import CRealtime

/// What is done to the stems.
extension Renderer {
    @_noLocks mutating func performStems(_ action: Action, at frame: FrameTime) {
        switch action {
        case .installStems(let content): installStems(content)
        case .stemsHold(let set, let deck, let seconds, let purpose):
            if isCurrent(set) { holdStems(deck: deck, seconds: seconds, purpose, at: frame) }
        case .stemsPlay(let set): if isCurrent(set) { playStems(at: frame) }
        case .stemsPause(let set): if isCurrent(set) { pauseStems() }
        case .stemsLoop(let set, let number, let start, let end):
            if !isCurrent(set) { return }
            multitrack.loop = number
            multitrack.loopStart = start
            multitrack.loopEnd = end
            findStemEdges()
        case .stemsGrid(let set, let grid):
            if !isCurrent(set) { return }
            multitrack.grid = grid
            multitrack.barLine = grid?.barLine ?? 0
        case .stemsGain(let gain):
            multitrack.level = multitrack.level.redirected(to: gain, at: timeline.now, frames: timeline.fadeFrames)
        default: break
        }
    }

    /// Whether a command is for the stems that are there, and not for those whose place they have taken.
    @_noLocks private func isCurrent(_ number: Int) -> Bool {
        guard let set = multitrack.set else { return false }
        return set.pointee.number == number
    }

    @_noLocks private mutating func installStems(_ content: UnsafePointer<StemSetContent>?) {
        leaveCurrentHead()
        dropStemJump()
        multitrack.entryFrame = FrameTime(rawValue: .max)
        multitrack.grid = .none
        let held = multitrack.heldDeck
        let old = multitrack.set
        multitrack.heldDeck = -1
        multitrack.loop = 0
        multitrack.heldSeconds = 0
        multitrack.wantsToPlay = false
        multitrack.set = content
        if let old {
            if held >= 0 { releaseDeck(held, of: old) }
            if leavingStemSetCount == Renderer.leavingStemSetCapacity { releaseLeavingStems() }
            if leavingStemSetCount < Renderer.leavingStemSetCapacity {
                leavingStemSets[leavingStemSetCount] = old
                leavingStemSetCount += 1
            }
        }
        guard let content else { return }
        mixer.use(stems: content.pointee.count)
    }

    /// A deck was cued: playing stems jump there, others will start there.
    @_noLocks private mutating func holdStems(
        deck: Int, seconds: Double, _ purpose: StemHoldPurpose, at frame: FrameTime
    ) {
        guard let set = multitrack.set else { return }
        set.pointee.needsDeck.pointee.store(false, ordering: .relaxed)
        var seek = StemSeek()
        switch purpose {
        case .seek(let asked): seek = asked
        case .rewind: break
        case .refill:
            // Something else was asked for in the meantime.
            if multitrack.current >= 0 || multitrack.heldDeck >= 0 {
                releaseDeck(deck, of: set)
                return
            }
        }
        multitrack.barLine = seek.isBarLine ? seconds : multitrack.gridBarLine
        if multitrack.current >= 0 {
            dropStemJump()
            if waitsForBar(seek) {
                multitrack.jumpDeck = deck
                multitrack.jumpSeconds = seconds
                queueStems(at: frame)
                return
            }
            multitrack.entryFrame = FrameTime(rawValue: .max)
            jumpStems(deck: deck, seconds: seconds, at: frame)
            return
        }
        if case .seek = purpose { emit(.stemsSeeked(position: seconds)) }
        let old = multitrack.heldDeck
        multitrack.heldDeck = deck
        multitrack.heldSeconds = seconds
        if old >= 0 { releaseDeck(old, of: set) }
        if multitrack.isQueued { queueStems(at: frame) }
        if multitrack.wantsToPlay { playStems(at: frame) }
    }

    @_noLocks private mutating func playStems(at frame: FrameTime) {
        guard multitrack.set != nil, multitrack.current < 0, !multitrack.isQueued else { return }
        if multitrack.heldDeck < 0 {
            multitrack.wantsToPlay = true
        } else if multitrack.hasGrid {
            multitrack.wantsToPlay = false
            queueStems(at: frame)
        } else {
            beginStems(at: frame)
        }
    }

    /// Plays from the deck that is held.
    @_noLocks mutating func beginStems(at frame: FrameTime) {
        guard let set = multitrack.set, multitrack.heldDeck >= 0 else { return }
        let deck = multitrack.heldDeck
        let seconds = multitrack.heldSeconds
        multitrack.wantsToPlay = false
        multitrack.heldDeck = -1
        emit(.stemsStarted(position: seconds))
        if turnBackHead(deck: deck, seconds: seconds) { return }
        // The first transients are kept whole only where the stems begin at their beginning, on time.
        startHead(set, deck: deck, seconds: seconds, at: frame, isWhole: seconds == 0 && frame == timeline.now)
    }

    /// Goes on with a head that began to leave on this very frame, where there is one: a pause that is taken back.
    @_noLocks private mutating func turnBackHead(deck: Int, seconds: Double) -> Bool {
        for index in 0..<MultitrackState.headCapacity {
            guard case .leaving = heads[index].phase, heads[index].deck == deck, heads[index].set == multitrack.set,
                heads[index].envelope.start == timeline.now, exactSeconds(of: heads[index]) == seconds
            else { continue }
            heads[index].phase = .playing
            heads[index].envelope = heads[index].envelope.redirected(
                to: 1, at: timeline.now, frames: timeline.fadeFrames)
            multitrack.current = index
            findStemEdges()
            return true
        }
        return false
    }

    @_noLocks private mutating func pauseStems() {
        holdStemsHere()
        leaveTransport()
    }

    // MARK: Heads

    @_noLocks mutating func startHead(
        _ set: UnsafePointer<StemSetContent>, deck: Int, seconds: Double, at frame: FrameTime, isWhole: Bool
    ) {
        let index = freeHead()
        var head = StemHead(set: set, deck: deck, seconds: seconds, frame: frame, beat: timeline.tempo.beat(at: frame))
        head.phase = .playing
        if isWhole {
            head.entrance = Ramp(
                from: 0, to: 1, start: timeline.now, frames: ClipFades.leastFrames(timeline.sampleRate))
        } else {
            head.envelope = Ramp(from: 0, to: 1, start: timeline.now, frames: timeline.fadeFrames)
        }
        let stolen = heads[index]
        heads[index] = head
        if !stolen.isFree { releaseDeck(stolen.deck, of: stolen.set) }
        multitrack.current = index
        drawLine(ofHead: index)
        findStemEdges()
    }

    /// A head that is free, or the one that has faded furthest.
    @_noLocks private func freeHead() -> Int {
        var oldest = 0
        for index in 0..<MultitrackState.headCapacity {
            if heads[index].isFree { return index }
            if heads[index].envelope.start < heads[oldest].envelope.start { oldest = index }
        }
        return oldest
    }

    @_noLocks mutating func leaveCurrentHead() {
        let index = multitrack.current
        if index < 0 { return }
        multitrack.current = -1
        multitrack.shift = 0
        multitrack.isWrapLate = false
        heads[index].phase = .leaving
        heads[index].envelope = heads[index].envelope.redirected(to: 0, at: timeline.now, frames: timeline.fadeFrames)
        multitrack.wrapFrame = FrameTime(rawValue: .max)
        multitrack.endFrame = FrameTime(rawValue: .max)
    }

    /// Frees heads that have faded out.
    @_noLocks mutating func endHeads() {
        for index in 0..<MultitrackState.headCapacity {
            guard case .leaving = heads[index].phase else { continue }
            let envelope = heads[index].envelope
            if timeline.now - envelope.start < envelope.frames { continue }
            heads[index].phase = .free
            releaseDeck(heads[index].deck, of: heads[index].set)
        }
    }

    @_noLocks func releaseDeck(_ deck: Int, of set: UnsafePointer<StemSetContent>) {
        if multitrack.set == set, multitrack.heldDeck == deck || multitrack.jumpDeck == deck { return }
        for index in 0..<MultitrackState.headCapacity
        where !heads[index].isFree && heads[index].set == set && heads[index].deck == deck {
            return
        }
        set.pointee.decks[deck].status.store(StemDeck.Status.idle, ordering: .releasing)
    }

    // MARK: Position

    /// The position of a head now, in seconds.
    @_noLocks func exactSeconds(of head: StemHead) -> Double { head.seconds(at: timeline.now, timeline.moment) }

    /// Restates a head's position for the stretch of constant tempo that begins now.
    @_noLocks func drawLine(ofHead index: Int) {
        heads[index].lineFrame = timeline.now
        heads[index].lineSeconds = exactSeconds(of: heads[index])
        let recorded = heads[index].set.pointee.recordedTempo
        heads[index].speed = recorded > 0 ? timeline.tempo.tempo(at: timeline.now).beatsPerMinute / recorded : 1
    }

    /// Restates what follows from the tempo after it changed.
    @_noLocks mutating func drawStemLines() {
        for index in 0..<MultitrackState.headCapacity where !heads[index].isFree && heads[index].followsTempo {
            drawLine(ofHead: index)
        }
        findStemEdges()
    }

    /// Anchors every head where it was on the timeline that is over.
    @_noLocks mutating func anchorStems(from old: Retiming.Moment) {
        for index in 0..<MultitrackState.headCapacity where !heads[index].isFree {
            heads[index].anchorSeconds = heads[index].seconds(at: timeline.now, old)
            heads[index].anchorFrame = timeline.now
            heads[index].anchorBeat = timeline.tempo.beat(at: timeline.now)
            drawLine(ofHead: index)
        }
        findStemEdges()
    }

    /// Fades the stems out, to go on as if they had been played `frames` frames later.
    @_noLocks mutating func shiftStems(by frames: Int64) {
        let index = multitrack.current
        if index < 0 { return }
        multitrack.shift += frames
        heads[index].isStarved = true
        heads[index].envelope = heads[index].envelope.redirected(to: 0, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// Moves the stems, which nobody hears now, to where the timeline says that they are.
    @_noLocks mutating func catchUpStems() {
        let index = multitrack.current
        heads[index].anchorSeconds -= Double(multitrack.shift) * heads[index].speed / timeline.sampleRate.hertz
        multitrack.shift = 0
        drawLine(ofHead: index)
        findStemEdges()
    }

    // MARK: Loop and end

    /// The frame at which a head is at `seconds`.
    @_noLocks private func frame(ofSeconds seconds: Double, _ head: StemHead) -> FrameTime {
        let distance = seconds - head.anchorSeconds
        if head.followsTempo {
            return timeline.tempo.frame(of: head.anchorBeat + distance * head.set.pointee.recordedTempo / 60)
        }
        let frames = Double(head.anchorFrame.rawValue) + distance * timeline.sampleRate.hertz
        return FrameTime(rawValue: FrameRounding.nearest(frames))
    }

    /// Finds the frames at which the loop wraps and the stems end.
    @_noLocks mutating func findStemEdges() {
        multitrack.wrapFrame = FrameTime(rawValue: .max)
        multitrack.endFrame = FrameTime(rawValue: .max)
        multitrack.isWrapLate = false
        let index = multitrack.current
        if index < 0 { return }
        if multitrack.loop > 0 {
            let wrap = frame(ofSeconds: multitrack.loopEnd, heads[index])
            if wrap > timeline.now { multitrack.wrapFrame = wrap }
        }
        findStemEnd()
    }

    @_noLocks private mutating func findStemEnd() {
        let head = heads[multitrack.current]
        var last = 0.0
        for stem in 0..<head.set.pointee.count {
            let end = head.set.pointee.decks[head.deck].rings[stem].end.load(ordering: .acquiring)
            if end == .max { return }
            let place = head.set.pointee.stems[stem]
            let seconds = (Double(end) - place.offset) / place.sourceRate
            if seconds > last { last = seconds }
        }
        multitrack.endFrame = frame(ofSeconds: last, head)
    }

    /// Ends and wraps what is due.
    @_noLocks mutating func handleStemsDue() {
        endHeads()
        if multitrack.entryFrame <= timeline.now { enterStems() }
        if multitrack.current < 0 { return }
        if multitrack.endFrame.rawValue == .max { findStemEnd() }
        if multitrack.wrapFrame <= timeline.now { wrapStems() }
        if multitrack.current >= 0, multitrack.endFrame <= timeline.now, multitrack.wrapFrame.rawValue == .max {
            endStems()
        }
    }

    @_noLocks private mutating func endStems() {
        guard let set = multitrack.set else { return }
        dropStemJump()
        leaveCurrentHead()
        multitrack.heldSeconds = 0
        multitrack.barLine = multitrack.gridBarLine
        set.pointee.needsDeck.pointee.store(true, ordering: .releasing)
        emit(.stemsEnded)
        leaveTransport()
    }

    @_noLocks private mutating func wrapStems() {
        let index = multitrack.current
        let set = heads[index].set
        let deck = takeOfferedDeck(of: set)
        if deck < 0 {
            if !multitrack.isWrapLate {
                multitrack.isWrapLate = true
                countUnderrun(ofHead: index, fadeFrames: timeline.fadeFrames)
            }
            return
        }
        let wasLate = multitrack.isWrapLate
        let length = multitrack.loopEnd - multitrack.loopStart
        let beyond = exactSeconds(of: heads[index]) - multitrack.loopEnd
        // The frame of the wrap is rounded, so that it may be a fraction of a frame early.
        let turns = beyond < length ? 0 : rt_floor(beyond / length)
        let seconds = multitrack.loopStart + beyond - turns * length
        leaveCurrentHead()
        startHead(set, deck: deck, seconds: seconds, at: timeline.now, isWhole: false)
        if wasLate {
            heads[multitrack.current].isStarved = true
            heads[multitrack.current].envelope = Ramp(constant: 0)
        }
        emit(.stemsLooped(position: seconds))
        alignTransport()
    }

    @_noLocks private func takeOfferedDeck(of set: UnsafePointer<StemSetContent>) -> Int {
        for deck in 0..<StemSetContent.deckCount
        where set.pointee.decks[deck].loop.load(ordering: .acquiring) == multitrack.loop {
            let (isTaken, _) = set.pointee.decks[deck].status.compareExchange(
                expected: StemDeck.Status.offered, desired: StemDeck.Status.inUse, ordering: .acquiringAndReleasing)
            if isTaken { return deck }
        }
        return -1
    }

    /// The frame at which something is due next.
    @_noLocks func nextStemFrame() -> FrameTime {
        var next = multitrack.entryFrame
        if multitrack.current >= 0 {
            if multitrack.wrapFrame.rawValue == .max { next = earlier(next, multitrack.endFrame) }
            if !multitrack.isWrapLate { next = earlier(next, multitrack.wrapFrame) }
        }
        for index in 0..<MultitrackState.headCapacity {
            guard case .leaving = heads[index].phase else { continue }
            next = earlier(next, heads[index].envelope.start + heads[index].envelope.frames)
        }
        return next
    }

    /// Hands sets of stems that no head reads any more back to the control side.
    @_noLocks mutating func releaseLeavingStems() {
        var kept = 0
        for index in 0..<leavingStemSetCount {
            let set = leavingStemSets[index]
            var isInUse = false
            for head in 0..<MultitrackState.headCapacity where !heads[head].isFree && heads[head].set == set {
                isInUse = true
            }
            if isInUse || !link.retired.push(UInt(bitPattern: set)) {
                leavingStemSets[kept] = set
                kept += 1
            }
        }
        leavingStemSetCount = kept
    }
}

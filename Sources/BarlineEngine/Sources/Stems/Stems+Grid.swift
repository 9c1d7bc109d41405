import BarlineDSP
import BarlineTime
import CRealtime

/// Stems on the grid: they roll the transport, start and jump in their place in the bar, and take the transport with them.
extension Renderer {
    /// What waits until the transport is in the bar where the stems will be.
    @_noLocks mutating func queueStems(at frame: FrameTime) {
        if timeline.isRolling {
            findStemEntry(ofSeconds: multitrack.queuedSeconds, at: frame)
        } else {
            takeStemTempo()
            let bar = timeline.metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar
            let phase = stemPhase(ofSeconds: multitrack.queuedSeconds, bar: bar)
            give(timeline.start(lead: 0, entry: phase, at: frame))
            multitrack.leadsTransport = true
            multitrack.entryBar = 0
            multitrack.entryPhase = phase
        }
        resolveStemEntry()
        if multitrack.entryFrame <= timeline.now { enterStems() }
    }

    /// Finds the frame of what waits anew.
    @_noLocks mutating func resolveStemEntry() {
        multitrack.entryFrame = timeline.tempo.frame(
            of: timeline.metre.beat(ofBar: multitrack.entryBar) + multitrack.entryPhase)
    }

    /// Starts the stems, or lets them jump, in step with the bar.
    @_noLocks mutating func enterStems() {
        let frame = multitrack.entryFrame
        multitrack.entryFrame = FrameTime(rawValue: .max)
        let deck = multitrack.jumpDeck
        if deck < 0 {
            takeStemTempo()
            beginStems(at: frame)
            return
        }
        multitrack.jumpDeck = -1
        jumpStems(deck: deck, seconds: multitrack.jumpSeconds, at: frame)
    }

    /// Lets stems that play go on at another position.
    @_noLocks mutating func jumpStems(deck: Int, seconds: Double, at frame: FrameTime) {
        guard let set = multitrack.set else { return }
        emit(.stemsSeeked(position: seconds))
        leaveCurrentHead()
        startHead(set, deck: deck, seconds: seconds, at: frame, isWhole: false)
        alignTransport()
    }

    /// Forgets a jump that waits.
    @_noLocks mutating func dropStemJump() {
        let deck = multitrack.jumpDeck
        if deck < 0 { return }
        multitrack.jumpDeck = -1
        multitrack.entryFrame = FrameTime(rawValue: .max)
        if let set = multitrack.set { releaseDeck(deck, of: set) }
    }

    /// Pauses the stems where they are, or where they were about to jump to.
    @_noLocks mutating func holdStemsHere() { holdStems(at: timeline.moment) }

    @_noLocks private mutating func holdStems(at moment: Retiming.Moment) {
        multitrack.wantsToPlay = false
        multitrack.entryFrame = FrameTime(rawValue: .max)
        let index = multitrack.current
        if index < 0 { return }
        multitrack.heldSeconds = heads[index].seconds(at: timeline.now, moment)
        multitrack.heldDeck = heads[index].deck
        if multitrack.jumpDeck >= 0 {
            multitrack.heldSeconds = multitrack.jumpSeconds
            multitrack.heldDeck = multitrack.jumpDeck
            multitrack.jumpDeck = -1
        }
        leaveCurrentHead()
        emit(.stemsPaused(position: multitrack.heldSeconds))
    }

    // MARK: The transport

    /// What a change of the timeline does to the stems.
    @_noLocks mutating func retimeStems(_ retiming: Retiming) {
        switch retiming.change {
        case .started: anchorStems(from: retiming.from)
        case .stopped:
            multitrack.leadsTransport = false
            if multitrack.hasGrid { holdStems(at: retiming.from) }
            anchorStems(from: retiming.from)
        case .settled: drawStemLines()
        case .tempo:
            if timeline.isRolling { resolveStems() } else { anchorStems(from: retiming.from) }
        case .metre: if timeline.isRolling { resolveStems() }
        case .sampleRate:
            anchorStems(from: retiming.from)
            resolveStems()
        case .clock:
            anchorStems(from: retiming.from)
            shiftStems(by: retiming.shift)
            resolveStems()
        }
    }

    /// Finds every frame anew that follows from a beat.
    @_noLocks private mutating func resolveStems() {
        if multitrack.isQueued { resolveStemEntry() }
        drawStemLines()
    }

    /// Whether clips play, or wait for a boundary: the beats are theirs then.
    private var isGridShared: Bool {
        @_noLocks get {
            if timeline.queuedTempoFrame.rawValue != .max { return true }
            for index in 0..<trackCount where tracks[index].voice >= 0 || !tracks[index].queue.isEmpty { return true }
            return false
        }
    }

    /// Whether a seek waits for its place in the bar.
    @_noLocks func waitsForBar(_ seek: StemSeek) -> Bool {
        multitrack.hasGrid && timeline.isRolling && (seek.waits || isGridShared)
    }

    /// Restates bars and beats where the stems, which have jumped, are in another place of the bar: nothing else follows them.
    @_noLocks mutating func alignTransport() {
        if !multitrack.hasGrid || multitrack.current < 0 || !timeline.isRolling || isGridShared { return }
        let beat = timeline.tempo.beat(at: timeline.now)
        let signature = timeline.metre.timeSignature(at: beat)
        let bar = signature.quartersPerBar
        let phase = stemPhase(ofSeconds: exactSeconds(of: heads[multitrack.current]), bar: bar)
        var distance = timeline.metre.position(at: beat).quartersIntoBar - phase
        if distance > bar / 2 { distance -= bar }
        if distance < -bar / 2 { distance += bar }
        // Both the stems and the transport were rounded to a frame.
        let slack =
            roundingInQuarters + 0.51 * timeline.tempo.tempo(at: timeline.now).beatsPerMinute
            / (60 * timeline.sampleRate.hertz)
        if distance <= slack, distance >= -slack { return }
        restateBeats(at: beat)
    }

    /// Lets the transport go on from where the stems are in the bar, with all that it was about to do.
    @_noLocks private mutating func restateBeats(at beat: Beat) {
        let signature = timeline.metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude))
        let segment = timeline.tempo.segment(at: timeline.now)
        let rampLeft = segment.startBeat + segment.rampBeats - beat
        let seconds = exactSeconds(of: heads[multitrack.current])
        let phase = stemPhase(ofSeconds: seconds, bar: signature.quartersPerBar)
        give(timeline.restart(from: Beat(rawValue: phase)))
        if segment.rampBeats > 0, rampLeft > 0 {
            give(timeline.changeTempo(to: segment.endTempo, rampBeats: rampLeft))
        }
        if multitrack.isQueued {
            findStemEntry(ofSeconds: multitrack.queuedSeconds, at: timeline.now)
            resolveStemEntry()
        }
    }

    /// The transport ends with the stems that have set it rolling, unless clips go on.
    @_noLocks mutating func leaveTransport() {
        if multitrack.leadsTransport, !isGridShared { stopTransport() }
    }

    /// Quarter notes since the bar line of the stems, at `seconds`. What is rounded to a frame of the line is on it.
    @_noLocks private func stemPhase(ofSeconds seconds: Double, bar: Double) -> Double {
        guard let grid = multitrack.grid else { return 0 }
        let quarters = (seconds - multitrack.barLine) * grid.tempo.beatsPerMinute / 60
        let phase = quarters - bar * rt_floor(quarters / bar)
        let slack = roundingInQuarters
        return phase <= slack || phase >= bar - slack ? 0 : phase
    }

    /// A little more than half a frame of the stems, which positions are rounded to.
    private var roundingInQuarters: Double {
        @_noLocks get {
            guard let grid = multitrack.grid else { return 0 }
            return 0.51 * grid.tempo.beatsPerMinute / (60 * timeline.sampleRate.hertz)
        }
    }

    /// The engine plays at the tempo of stems that can't follow it.
    @_noLocks private mutating func takeStemTempo() {
        guard let grid = multitrack.grid, !hasStemTempo else { return }
        give(timeline.changeTempo(to: grid.tempo, rampBeats: 0))
    }

    private var hasStemTempo: Bool {
        @_noLocks get {
            guard let grid = multitrack.grid, let set = multitrack.set else { return true }
            if set.pointee.recordedTempo > 0 { return true }
            let segment = timeline.tempo.segment(at: timeline.now)
            return segment.constantFrom <= timeline.now && segment.endTempo.beatsPerMinute == grid.tempo.beatsPerMinute
        }
    }

    /// Finds where stems that will be at `seconds` come in, by the rule of a launch: just past their place in the bar they
    /// start at once, in phase, else in the next bar.
    @_noLocks private mutating func findStemEntry(ofSeconds seconds: Double, at frame: FrameTime) {
        let from = frame < timeline.rollFrame ? timeline.rollFrame : frame
        let beat = timeline.tempo.beat(at: from)
        let phase = stemPhase(ofSeconds: seconds, bar: timeline.metre.timeSignature(at: beat).quartersPerBar)
        let bars = timeline.metre.bars(at: beat + -phase)
        let passed = Int64(rt_floor(bars))
        multitrack.entryPhase = phase
        if passed < 0 {
            // Nothing but the click belongs into bars that are counted in.
            multitrack.entryBar = 0
            if multitrack.leadsTransport { timeline.countIn.end = Beat(rawValue: phase) }
            return
        }
        let passedFrame = timeline.tempo.frame(of: timeline.metre.beat(ofBar: passed) + phase)
        let isJustPast =
            bars - Double(passed) < timeline.snapTolerance && passedFrame >= timeline.rollFrame && hasStemTempo
        multitrack.entryBar = passedFrame >= from || isJustPast ? passed : passed + 1
    }
}

import BarlineDSP
import BarlineTime
import CRealtime

/// Stems on the grid: they start the transport, start and jump at their position in the bar, and move the transport
/// with them.
extension Stems {
    /// Queues a start or a jump until the transport is at the stems' position in a bar.
    @_noLocks mutating func queueStems(at frame: FrameTime, _ context: inout RenderContext) {
        if context.timeline.isRolling {
            findStemEntry(ofSeconds: queuedSeconds, at: frame, &context)
        } else {
            takeStemTempo(&context)
            let bar = context.timeline.metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar
            let phase = stemPhase(ofSeconds: queuedSeconds, bar: bar, context.timeline)
            propagate(context.timeline.start(lead: 0, entry: phase, at: frame), &context)
            context.timeline.endsWithSource = true
            entryBar = 0
            entryPhase = phase
        }
        resolveStemEntry(context.timeline)
        if entryFrame <= context.now { enterStems(&context) }
    }

    /// Recomputes the frame of the queued start or jump.
    @_noLocks mutating func resolveStemEntry(_ timeline: borrowing Timeline) {
        entryFrame = timeline.tempo.frame(
            of: timeline.metre.beat(ofBar: entryBar) + entryPhase)
    }

    /// Starts the stems, or jumps, in step with the bar.
    @_noLocks mutating func enterStems(_ context: inout RenderContext) {
        let frame = entryFrame
        entryFrame = .never
        let deck = heads.takeNext()
        if deck < 0 {
            takeStemTempo(&context)
            beginStems(at: frame, &context)
            return
        }
        jumpStems(deck: deck, seconds: jumpSeconds, at: frame, &context)
    }

    /// Continues playing stems at another position.
    @_noLocks mutating func jumpStems(deck: Int, seconds: Double, at frame: FrameTime, _ context: inout RenderContext) {
        guard let set else { return }
        leaveCurrentHead(context.timeline)
        startHead(set, deck: deck, seconds: seconds, at: frame, isWhole: false, context.timeline)
        context.emit(.stems(.seeked(position: enteredSeconds(seconds, at: frame, context.timeline))))
        alignTransport(&context)
    }

    /// Cancels a pending jump.
    @_noLocks mutating func dropStemJump() {
        if heads.nextDeck < 0 { return }
        heads.queue(-1)
        entryFrame = .never
    }

    /// Pauses the stems at their position, or at the target of a pending jump.
    @_noLocks mutating func holdStemsHere(_ context: inout RenderContext) {
        holdStems(at: context.timeline.moment, &context)
    }

    @_noLocks private mutating func holdStems(at moment: Retiming.Moment, _ context: inout RenderContext) {
        wantsToPlay = false
        entryFrame = .never
        let index = current
        if index < 0 { return }
        heldSeconds = readings[index].seconds(at: context.now, moment)
        var deck = heads[index].deck
        if heads.nextDeck >= 0 {
            heldSeconds = jumpSeconds
            deck = heads.takeNext()
        }
        heads.hold(deck)
        readings[index].set.pointee.positions[deck].set(to: heldSeconds)
        leaveCurrentHead(context.timeline)
        context.emit(.stems(.paused(position: heldSeconds)))
    }

    // MARK: The transport

    /// Applies a timeline change to the stems.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        switch retiming.change {
        case .started: anchorStems(from: retiming.from, context.timeline)
        case .stopped:
            if hasGrid { holdStems(at: retiming.from, &context) }
            anchorStems(from: retiming.from, context.timeline)
        case .rampEnded: reanchorLines(context.timeline)
        case .tempo:
            if context.timeline.isRolling {
                resolveStems(context.timeline)
            } else {
                anchorStems(from: retiming.from, context.timeline)
            }
        case .metre: if context.timeline.isRolling { resolveStems(context.timeline) }
        case .sampleRate:
            anchorStems(from: retiming.from, context.timeline)
            resolveStems(context.timeline)
        case .clock:
            anchorStems(from: retiming.from, context.timeline)
            shiftStems(by: retiming.shift, context.timeline)
            resolveStems(context.timeline)
        }
    }

    /// Recomputes every frame that follows from a beat.
    @_noLocks private mutating func resolveStems(_ timeline: borrowing Timeline) {
        if isQueued { resolveStemEntry(timeline) }
        reanchorLines(timeline)
    }

    /// Whether a seek waits for its position in the bar.
    @_noLocks func waitsForBar(_ seek: StemSeek, _ context: inout RenderContext) -> Bool {
        hasGrid && context.timeline.isRolling && (seek.waits || context.isGridShared)
    }

    /// Restates bars and beats after a jump of the stems to another position in the bar, unless something else follows
    /// the beats.
    @_noLocks mutating func alignTransport(_ context: inout RenderContext) {
        if !hasGrid || current < 0 || !context.timeline.isRolling || context.isGridShared { return }
        let seconds = exactSeconds(ofHead: current, context.timeline)
        if stemDistance(ofSeconds: seconds, context.timeline) == 0 { return }
        rescheduleBeats(at: context.timeline.tempo.beat(at: context.now), &context)
    }

    /// How far the transport is in its bar from where stems at `seconds` are in theirs, in quarter notes: 0 within what
    /// both were rounded by.
    @_noLocks func stemDistance(ofSeconds seconds: Double, _ timeline: borrowing Timeline) -> Double {
        let beat = timeline.tempo.beat(at: timeline.now)
        let bar = timeline.metre.timeSignature(at: beat).quartersPerBar
        var distance =
            timeline.metre.position(at: beat).quartersIntoBar - stemPhase(ofSeconds: seconds, bar: bar, timeline)
        if distance > bar / 2 { distance -= bar }
        if distance < -bar / 2 { distance += bar }
        // Both the stems and the transport were rounded to a frame.
        let slack =
            roundingInQuarters(timeline)
            + timeline.tempo.tempo(at: timeline.now).beats(inFrames: Stems.roundingFrames, at: timeline.sampleRate)
        return distance <= slack && distance >= -slack ? 0 : distance
    }

    /// Restarts the transport's beats from the stems' position in the bar, keeping everything it has queued.
    @_noLocks private mutating func rescheduleBeats(at beat: Beat, _ context: inout RenderContext) {
        let signature = context.timeline.metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude))
        let segment = context.timeline.tempo.segment(at: context.now)
        let rampLeft = segment.startBeat + segment.rampBeats - beat
        let seconds = exactSeconds(ofHead: current, context.timeline)
        let phase = stemPhase(ofSeconds: seconds, bar: signature.quartersPerBar, context.timeline)
        propagate(context.timeline.restart(from: Beat(rawValue: phase)), &context)
        if segment.rampBeats > 0, rampLeft > 0 {
            propagate(context.timeline.changeTempo(to: segment.endTempo, rampBeats: rampLeft), &context)
        }
        if isQueued {
            findStemEntry(ofSeconds: queuedSeconds, at: context.now, &context)
            resolveStemEntry(context.timeline)
        }
    }

    /// Stops the transport with the stems that have started it, unless clips continue.
    @_noLocks mutating func leaveTransport(_ context: inout RenderContext) {
        if context.timeline.endsWithSource, context.timeline.isRolling, !context.isGridShared {
            propagate(context.timeline.stop(), &context)
        }
    }

    /// The quarter notes since the stems' bar line, at `seconds`. A position that rounds to the frame of the line is on
    /// it.
    @_noLocks private func stemPhase(ofSeconds seconds: Double, bar: Double, _ timeline: borrowing Timeline) -> Double {
        guard let grid else { return 0 }
        let quarters = grid.tempo.beats(in: seconds - barLine)
        let phase = quarters - bar * rt_floor(quarters / bar)
        let slack = roundingInQuarters(timeline)
        return phase <= slack || phase >= bar - slack ? 0 : phase
    }

    /// Slightly more than half a frame: the error of positions rounded to a frame.
    private static var roundingFrames: Double { @_noLocks get { 0.51 } }

    /// The error of the stems' positions, which are rounded to a frame, in quarter notes.
    @_noLocks private func roundingInQuarters(_ timeline: borrowing Timeline) -> Double {
        guard let grid else { return 0 }
        return grid.tempo.beats(inFrames: Stems.roundingFrames, at: timeline.sampleRate)
    }

    /// Sets the engine's tempo to that of stems that can't follow it.
    @_noLocks mutating func takeStemTempo(_ context: inout RenderContext) {
        guard let grid, !hasStemTempo(context.timeline) else { return }
        propagate(context.timeline.changeTempo(to: grid.tempo, rampBeats: 0), &context)
    }

    @_noLocks private func hasStemTempo(_ timeline: borrowing Timeline) -> Bool {
        guard let grid, let set else { return true }
        if set.pointee.recordedTempo > 0 { return true }
        let segment = timeline.tempo.segment(at: timeline.now)
        return segment.constantFrom <= timeline.now && segment.endTempo.beatsPerMinute == grid.tempo.beatsPerMinute
    }

    /// Finds the entry of stems that will be at `seconds`, by the rule of a launch: just past their position in the bar
    /// they start at once, in phase, else in the next bar.
    @_noLocks private mutating func findStemEntry(
        ofSeconds seconds: Double, at frame: FrameTime, _ context: inout RenderContext
    ) {
        let from = frame < context.timeline.rollFrame ? context.timeline.rollFrame : frame
        let beat = context.timeline.tempo.beat(at: from)
        let phase = stemPhase(
            ofSeconds: seconds, bar: context.timeline.metre.timeSignature(at: beat).quartersPerBar, context.timeline)
        let bars = context.timeline.metre.bars(at: beat + -phase)
        let passed = Int64(rt_floor(bars))
        entryPhase = phase
        if passed < 0 {
            // Only the click plays during count-in bars.
            entryBar = 0
            if context.timeline.endsWithSource { context.timeline.countIn.end = Beat(rawValue: phase) }
            return
        }
        let passedFrame = context.timeline.tempo.frame(of: context.timeline.metre.beat(ofBar: passed) + phase)
        let isJustPast =
            bars - Double(passed) < context.timeline.snapTolerance && passedFrame >= context.timeline.rollFrame
            && hasStemTempo(context.timeline)
        entryBar = passedFrame >= from || isJustPast ? passed : passed + 1
    }
}

import BarlineDSP
import BarlineTime
import CRealtime

/// Stems on the grid: they roll the transport, start and jump in their place in the bar, and take the transport with them.
extension Stems {
    /// What waits until the transport is in the bar where the stems will be.
    @_noLocks mutating func queueStems(at frame: FrameTime, _ context: inout RenderContext) {
        if context.timeline.isRolling {
            findStemEntry(ofSeconds: queuedSeconds, at: frame, &context)
        } else {
            takeStemTempo(&context)
            let bar = context.timeline.metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar
            let phase = stemPhase(ofSeconds: queuedSeconds, bar: bar, context.timeline)
            give(context.timeline.start(lead: 0, entry: phase, at: frame), &context)
            context.timeline.endsWithSource = true
            entryBar = 0
            entryPhase = phase
        }
        resolveStemEntry(context.timeline)
        if entryFrame <= context.now { enterStems(&context) }
    }

    /// Finds the frame of what waits anew.
    @_noLocks mutating func resolveStemEntry(_ timeline: borrowing Timeline) {
        entryFrame = timeline.tempo.frame(
            of: timeline.metre.beat(ofBar: entryBar) + entryPhase)
    }

    /// Starts the stems, or lets them jump, in step with the bar.
    @_noLocks mutating func enterStems(_ context: inout RenderContext) {
        let frame = entryFrame
        entryFrame = FrameTime(rawValue: .max)
        let deck = heads.takeNext()
        if deck < 0 {
            takeStemTempo(&context)
            beginStems(at: frame, &context)
            return
        }
        jumpStems(deck: deck, seconds: jumpSeconds, at: frame, &context)
    }

    /// Lets stems that play go on at another position.
    @_noLocks mutating func jumpStems(deck: Int, seconds: Double, at frame: FrameTime, _ context: inout RenderContext) {
        guard let set else { return }
        context.emit(.stems(.seeked(position: seconds)))
        leaveCurrentHead(context.timeline)
        startHead(set, deck: deck, seconds: seconds, at: frame, isWhole: false, context.timeline)
        alignTransport(&context)
    }

    /// Forgets a jump that waits.
    @_noLocks mutating func dropStemJump() {
        if heads.nextDeck < 0 { return }
        heads.queue(-1)
        entryFrame = FrameTime(rawValue: .max)
    }

    /// Pauses the stems where they are, or where they were about to jump to.
    @_noLocks mutating func holdStemsHere(_ context: inout RenderContext) {
        holdStems(at: context.timeline.moment, &context)
    }

    @_noLocks private mutating func holdStems(at moment: Retiming.Moment, _ context: inout RenderContext) {
        wantsToPlay = false
        entryFrame = FrameTime(rawValue: .max)
        let index = current
        if index < 0 { return }
        heldSeconds = readings[index].seconds(at: context.now, moment)
        var deck = heads[index].deck
        if heads.nextDeck >= 0 {
            heldSeconds = jumpSeconds
            deck = heads.takeNext()
        }
        heads.hold(deck)
        readings[index].set.pointee.positions[deck].stand(at: heldSeconds)
        leaveCurrentHead(context.timeline)
        context.emit(.stems(.paused(position: heldSeconds)))
    }

    // MARK: The transport

    /// What a change of the timeline does to the stems.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        switch retiming.change {
        case .started: anchorStems(from: retiming.from, context.timeline)
        case .stopped:
            if hasGrid { holdStems(at: retiming.from, &context) }
            anchorStems(from: retiming.from, context.timeline)
        case .settled: restateLines(context.timeline)
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

    /// Finds every frame anew that follows from a beat.
    @_noLocks private mutating func resolveStems(_ timeline: borrowing Timeline) {
        if isQueued { resolveStemEntry(timeline) }
        restateLines(timeline)
    }

    /// Whether a seek waits for its place in the bar.
    @_noLocks func waitsForBar(_ seek: StemSeek, _ context: inout RenderContext) -> Bool {
        hasGrid && context.timeline.isRolling && (seek.waits || context.isGridShared)
    }

    /// Restates bars and beats where the stems, which have jumped, are in another place of the bar: nothing else follows them.
    @_noLocks mutating func alignTransport(_ context: inout RenderContext) {
        if !hasGrid || current < 0 || !context.timeline.isRolling || context.isGridShared { return }
        let beat = context.timeline.tempo.beat(at: context.now)
        let signature = context.timeline.metre.timeSignature(at: beat)
        let bar = signature.quartersPerBar
        let phase = stemPhase(ofSeconds: exactSeconds(ofHead: current, context.timeline), bar: bar, context.timeline)
        var distance = context.timeline.metre.position(at: beat).quartersIntoBar - phase
        if distance > bar / 2 { distance -= bar }
        if distance < -bar / 2 { distance += bar }
        // Both the stems and the transport were rounded to a frame.
        let slack =
            roundingInQuarters(context.timeline) + Stems.roundingFrames
            * context.timeline.tempo.tempo(at: context.now).beatsPerMinute
            / (60 * context.sampleRate.hertz)
        if distance <= slack, distance >= -slack { return }
        restateBeats(at: beat, &context)
    }

    /// Lets the transport go on from where the stems are in the bar, with all that it was about to do.
    @_noLocks private mutating func restateBeats(at beat: Beat, _ context: inout RenderContext) {
        let signature = context.timeline.metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude))
        let segment = context.timeline.tempo.segment(at: context.now)
        let rampLeft = segment.startBeat + segment.rampBeats - beat
        let seconds = exactSeconds(ofHead: current, context.timeline)
        let phase = stemPhase(ofSeconds: seconds, bar: signature.quartersPerBar, context.timeline)
        give(context.timeline.restart(from: Beat(rawValue: phase)), &context)
        if segment.rampBeats > 0, rampLeft > 0 {
            give(context.timeline.changeTempo(to: segment.endTempo, rampBeats: rampLeft), &context)
        }
        if isQueued {
            findStemEntry(ofSeconds: queuedSeconds, at: context.now, &context)
            resolveStemEntry(context.timeline)
        }
    }

    /// The transport ends with the stems that have set it rolling, unless clips go on.
    @_noLocks mutating func leaveTransport(_ context: inout RenderContext) {
        if context.timeline.endsWithSource, context.timeline.isRolling, !context.isGridShared {
            give(context.timeline.stop(), &context)
        }
    }

    /// Quarter notes since the bar line of the stems, at `seconds`. What is rounded to a frame of the line is on it.
    @_noLocks private func stemPhase(ofSeconds seconds: Double, bar: Double, _ timeline: borrowing Timeline) -> Double {
        guard let grid else { return 0 }
        let quarters = (seconds - barLine) * grid.tempo.beatsPerMinute / 60
        let phase = quarters - bar * rt_floor(quarters / bar)
        let slack = roundingInQuarters(timeline)
        return phase <= slack || phase >= bar - slack ? 0 : phase
    }

    /// A little more than half a frame, by which what is rounded to one may be off.
    private static var roundingFrames: Double { @_noLocks get { 0.51 } }

    /// By how much positions of the stems may be off, which are rounded to a frame.
    @_noLocks private func roundingInQuarters(_ timeline: borrowing Timeline) -> Double {
        guard let grid else { return 0 }
        return Stems.roundingFrames * grid.tempo.beatsPerMinute / (60 * timeline.sampleRate.hertz)
    }

    /// The engine plays at the tempo of stems that can't follow it.
    @_noLocks private mutating func takeStemTempo(_ context: inout RenderContext) {
        guard let grid, !hasStemTempo(context.timeline) else { return }
        give(context.timeline.changeTempo(to: grid.tempo, rampBeats: 0), &context)
    }

    @_noLocks private func hasStemTempo(_ timeline: borrowing Timeline) -> Bool {
        guard let grid, let set else { return true }
        if set.pointee.recordedTempo > 0 { return true }
        let segment = timeline.tempo.segment(at: timeline.now)
        return segment.constantFrom <= timeline.now && segment.endTempo.beatsPerMinute == grid.tempo.beatsPerMinute
    }

    /// Finds where stems that will be at `seconds` come in, by the rule of a launch: just past their place in the bar they
    /// start at once, in phase, else in the next bar.
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
            // Nothing but the click belongs into bars that are counted in.
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

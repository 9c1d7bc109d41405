import BarlineDSP
import BarlineTime
import CRealtime

/// Loop wraps and the end of the stems.
extension Stems {
    /// The frame at which a head is at `seconds`.
    @_noLocks private func frame(ofSeconds seconds: Double, _ head: StemReading, _ timeline: borrowing Timeline)
        -> FrameTime
    {
        let distance = seconds - head.anchorSeconds
        if head.followsTempo {
            return timeline.tempo.frame(
                of: head.anchorBeat + Tempo.beats(in: distance, at: head.set.pointee.recordedTempo))
        }
        return FramePosition(head.anchorFrame, offset: distance * timeline.sampleRate.hertz).nearest
    }

    /// Finds the frames at which the loop wraps and the stems end.
    @_noLocks mutating func findStemEdges(_ timeline: borrowing Timeline) {
        wrapFrame = .never
        endFrame = .never
        isWrapLate = false
        let index = current
        if index < 0 { return }
        if loop > 0 {
            let wrap = frame(ofSeconds: loopEnd, readings[index], timeline)
            if wrap > timeline.now { wrapFrame = wrap }
        }
        findStemEnd(timeline)
    }

    /// Finds them after the tempo or the timeline has changed: a wrap that was to come, and lies behind now, is due.
    @_noLocks mutating func findStemEdgesAnew(_ timeline: borrowing Timeline) {
        let wasToCome = !wrapFrame.isNever
        let wasLate = isWrapLate
        findStemEdges(timeline)
        if wasToCome, wrapFrame.isNever {
            wrapFrame = timeline.now
            isWrapLate = wasLate
        }
    }

    @_noLocks private mutating func findStemEnd(_ timeline: borrowing Timeline) {
        let head = head(current)
        var last = 0.0
        for slot in 0..<head.reading.set.pointee.slotCount {
            guard let part = head.reading.set.pointee.slots[slot].part else { continue }
            let end = part.pointee.ring(ofDeck: head.deck).end
            if end == .max { return }
            let seconds = (Double(end) - part.pointee.offset) / part.pointee.sourceRate
            if seconds > last { last = seconds }
        }
        endFrame = frame(ofSeconds: last, head.reading, timeline)
    }

    /// Recomputes the frame at which the stems end: the last one may have changed.
    @_noLocks mutating func rescheduleStemEnd(_ timeline: borrowing Timeline) {
        endFrame = .never
        findStemEnd(timeline)
    }

    /// Performs due ends and wraps.
    @_noLocks mutating func handleDue(_ context: inout RenderContext) {
        heads.endFaded(at: context.now)
        if changingSlots > 0 { updateSlots(&context) }
        if entryFrame <= context.now { enterStems(&context) }
        if current < 0 { return }
        if endFrame.isNever { findStemEnd(context.timeline) }
        if wrapFrame <= context.now { wrapStems(&context) }
        if current >= 0, endsNext, endFrame <= context.now { endStems(&context) }
    }

    /// Whether playback ends with the stems: they neither loop nor wait for a bar to jump on, up to which playback
    /// continues silently.
    private var endsNext: Bool { @_noLocks get { wrapFrame.isNever && heads.nextDeck < 0 } }

    @_noLocks private mutating func endStems(_ context: inout RenderContext) {
        guard let set else { return }
        leaveCurrentHead(context.timeline)
        heldSeconds = 0
        barLine = gridBarLine
        set.pointee.needsDeck.pointee.store(true, ordering: .releasing)
        context.emit(.stems(.ended))
        leaveTransport(&context)
    }

    @_noLocks private mutating func wrapStems(_ context: inout RenderContext) {
        let index = current
        let set = readings[index].set
        let deck = heads[index].decks.takeOffered(for: loop)
        if deck < 0 {
            if !isWrapLate {
                isWrapLate = true
                countUnderrun(ofHead: index, fadeFrames: context.fadeFrames, &context)
            }
            return
        }
        let wasLate = isWrapLate
        let length = loopEnd - loopStart
        let beyond = exactSeconds(ofHead: index, context.timeline) - loopEnd
        // The frame of the wrap is rounded, so that it may be a fraction of a frame early.
        let cycles = beyond < length ? 0 : rt_floor(beyond / length)
        let seconds = loopStart + beyond - cycles * length
        leaveCurrentHead(context.timeline)
        startHead(set, deck: deck, seconds: seconds, at: context.now, isWhole: false, context.timeline)
        if wasLate {
            readings[current].isStarved = true
            heads[current].envelope = Ramp(constant: 0)
        }
        context.emit(.stems(.looped(position: seconds)))
        alignTransport(&context)
    }

    /// The next due frame after `now`.
    @_noLocks func nextDueFrame(after now: FrameTime) -> FrameTime {
        var next = earlier(entryFrame, nextSlotFrame())
        if current >= 0 {
            if endsNext { next = earlier(next, endFrame) }
            if !isWrapLate { next = earlier(next, wrapFrame) }
            // Stems that have underrun are checked as soon as they have faded out.
            let envelope = heads[current].envelope
            if readings[current].isStarved, !envelope.isSettled(at: now) {
                next = earlier(next, envelope.start + envelope.frames)
            }
        }
        return earlier(next, heads.nextEnd)
    }
}

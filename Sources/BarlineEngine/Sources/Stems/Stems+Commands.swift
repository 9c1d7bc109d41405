import BarlineDSP
import BarlineTime
import CRealtime

/// Performing commands to the stems.
extension Stems {
    @_noLocks mutating func perform(_ action: Stems.Action, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .install(let content): installStems(content, &context)
        case .exchange(let set, let slot, let part): if isCurrent(set) { exchange(slot: slot, with: part, &context) }
        case .hold(let set, let deck, let seconds, let purpose):
            if isCurrent(set) { holdStems(deck: deck, seconds: seconds, purpose, at: frame, &context) }
        case .play(let set): if isCurrent(set) { playStems(at: frame, &context) }
        case .pause(let set): if isCurrent(set) { pauseStems(&context) }
        case .loop(let set, let number, let start, let end):
            if !isCurrent(set) { return }
            loop = number
            loopStart = start
            loopEnd = end
            findStemEdges(context.timeline)
        case .grid(let set, let grid):
            if !isCurrent(set) { return }
            self.grid = grid
            barLine = grid?.barLine ?? 0
        case .gain(let gain):
            level = level.redirected(to: gain, at: context.now, frames: context.fadeFrames)
        }
    }

    /// Whether a command is for the current stems, and not for replaced ones.
    @_noLocks private func isCurrent(_ number: Int) -> Bool {
        guard let set else { return false }
        return set.pointee.number == number
    }

    @_noLocks private mutating func installStems(
        _ content: UnsafePointer<StemSetContent>?, _ context: inout RenderContext
    ) {
        leftFrame = .never
        if current >= 0 {
            leftSeconds = exactSeconds(ofHead: current, context.timeline)
            leftFrame = context.now
        }
        leaveCurrentHead(context.timeline)
        dropStemJump()
        entryFrame = .never
        grid = .none
        let old = set
        loop = 0
        heldSeconds = 0
        wantsToPlay = false
        changingSlots = 0
        set = content
        heads.change(to: .none)
        if let old { context.retire(UnsafeRawPointer(old)) }
        guard let content else { return }
        heads.change(to: content.pointee.decks)
        context.mixer.use(stems: content.pointee.stemCount, at: context.now)
    }

    /// A deck was cued: playing stems jump to it, others will start from it.
    @_noLocks private mutating func holdStems(
        deck: Int, seconds: Double, _ purpose: StemHoldPurpose, at frame: FrameTime, _ context: inout RenderContext
    ) {
        guard let set else { return }
        set.pointee.needsDeck.pointee.store(false, ordering: .relaxed)
        var seek = StemSeek()
        switch purpose {
        case .seek(let asked): seek = asked
        case .rewind: break
        case .resume:
            resumeStems(deck: deck, seconds: seconds, &context)
            return
        case .refill:
            // Another request has come meanwhile.
            if current >= 0 || heads.heldDeck >= 0 {
                heads.release(deck)
                return
            }
        }
        barLine = seek.isBarLine ? seconds : gridBarLine
        if current >= 0 {
            dropStemJump()
            if waitsForBar(seek, &context) {
                heads.queue(deck)
                jumpSeconds = seconds
                queueStems(at: frame, &context)
                return
            }
            entryFrame = .never
            jumpStems(deck: deck, seconds: seconds, at: frame, &context)
            return
        }
        if case .seek = purpose { context.emit(.stems(.seeked(position: seconds))) }
        heads.hold(deck)
        heldSeconds = seconds
        if isQueued { queueStems(at: frame, &context) }
        if wantsToPlay { playStems(at: frame, &context) }
    }

    /// Plays on where the stems that these have replaced were, if they played: from now on, as soon as enough of it is in
    /// memory. If something else follows the beats, and their place in the bar is another one, they wait for that.
    @_noLocks private mutating func resumeStems(deck: Int, seconds: Double, _ context: inout RenderContext) {
        guard let set else { return }
        barLine = gridBarLine
        heads.hold(deck)
        guard leftFrame == context.now else {
            heldSeconds = seconds
            return
        }
        heldSeconds = leftSeconds
        let isApart = context.isGridShared && stemDistance(ofSeconds: leftSeconds, context.timeline) != 0
        if hasGrid, isApart || !context.timeline.isRolling {
            queueStems(at: context.now, &context)
        } else {
            takeStemTempo(&context)
            startHead(
                set, deck: heads.takeHeld(), seconds: leftSeconds, at: context.now, isWhole: false, context.timeline)
            context.emit(.stems(.started(position: leftSeconds)))
            alignTransport(&context)
        }
        if current >= 0 { awaitSupply(&context) }
    }

    @_noLocks private mutating func playStems(at frame: FrameTime, _ context: inout RenderContext) {
        guard set != nil, current < 0, !isQueued else { return }
        if heads.heldDeck < 0 {
            wantsToPlay = true
        } else if hasGrid {
            wantsToPlay = false
            queueStems(at: frame, &context)
        } else {
            beginStems(at: frame, &context)
        }
    }

    /// Plays from the held deck.
    @_noLocks mutating func beginStems(at frame: FrameTime, _ context: inout RenderContext) {
        guard let set, heads.heldDeck >= 0 else { return }
        // Stems that were added meanwhile start with them.
        if changingSlots > 0 { updateSlots(&context) }
        let deck = heads.takeHeld()
        let seconds = heldSeconds
        wantsToPlay = false
        if resumeHead(deck: deck, seconds: seconds, context.timeline) {
            context.emit(.stems(.started(position: seconds)))
            return
        }
        // The first transients are kept intact only if the stems start at their beginning, on time.
        startHead(
            set, deck: deck, seconds: seconds, at: frame, isWhole: seconds == 0 && frame == context.now,
            context.timeline)
        context.emit(.stems(.started(position: enteredSeconds(seconds, at: frame, context.timeline))))
    }

    /// Resumes a head that began to fade out on this very frame, if any: an undone pause.
    @_noLocks private mutating func resumeHead(deck: Int, seconds: Double, _ timeline: borrowing Timeline) -> Bool {
        var index = heads.justLeft(deck, at: timeline.now, from: 0)
        while index >= 0, exactSeconds(ofHead: index, timeline) != seconds {
            index = heads.justLeft(deck, at: timeline.now, from: index + 1)
        }
        if index < 0 { return false }
        heads.resume(index, at: timeline.now, frames: timeline.fadeFrames)
        findStemEdges(timeline)
        return true
    }

    @_noLocks private mutating func pauseStems(_ context: inout RenderContext) {
        holdStemsHere(&context)
        leaveTransport(&context)
    }
}

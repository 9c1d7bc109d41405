import BarlineDSP
import BarlineTime

/// Exchanging single stems while the others play.
extension Stems {
    /// Queues a stem, or none, for a place, until its rings have the required data.
    @_noLocks mutating func exchange(
        slot index: Int, with part: UnsafePointer<StemPart>?, _ context: inout RenderContext
    ) {
        guard let set, index < set.pointee.slotCount else { return }
        let slot = set.pointee.slots + index
        if let waiting = slot.pointee.next { leave(waiting) }
        slot.pointee.next = part
        slot.pointee.isChanging = true
        if case .some = part { context.mixer.use(stems: index + 1, at: context.now) }
        updateSlots(&context)
    }

    /// Performs exchanges that are ready, and retires stems that have faded out.
    @_noLocks mutating func updateSlots(_ context: inout RenderContext) {
        changingSlots = 0
        guard let set else { return }
        for index in 0..<set.pointee.slotCount {
            let slot = set.pointee.slots + index
            if let former = slot.pointee.former, slot.pointee.exit.isSettled(at: context.now) {
                slot.pointee.former = .none
                leave(former)
            }
            if slot.pointee.isChanging, !slot.pointee.hasFormer, isReady(slot.pointee.next, context.timeline) {
                advance(slot: index, of: set, &context)
            }
            if !slot.pointee.isSteady { changingSlots += 1 }
        }
    }

    /// Crossfades to the next stem.
    @_noLocks private mutating func advance(
        slot index: Int, of set: UnsafePointer<StemSetContent>, _ context: inout RenderContext
    ) {
        let slot = set.pointee.slots + index
        let entering = slot.pointee.next
        if heads.areSounding {
            slot.pointee.former = slot.pointee.part
            slot.pointee.exit = slot.pointee.gate.redirected(to: 0, at: context.now, frames: context.fadeFrames)
        } else if let part = slot.pointee.part {
            leave(part)
        }
        slot.pointee.part = entering
        slot.pointee.side = 1 - slot.pointee.side
        if let voices = set.pointee.voices { voices.reset(slot: index, side: slot.pointee.side) }
        slot.pointee.next = .none
        slot.pointee.isChanging = false
        // While the stems are paused, the next start fades it in.
        slot.pointee.gate =
            current < 0
            ? Ramp(constant: 1) : Ramp(from: 0, to: 1, start: context.now, frames: context.fadeFrames)
        var seconds = heldSeconds
        if current >= 0 {
            seconds = exactSeconds(ofHead: current, context.timeline)
            rescheduleStemEnd(context.timeline)
        }
        if case .some = entering {
            context.emit(.stems(.joined(stem: StemIndex(index), position: seconds)))
        } else {
            context.emit(.stems(.left(stem: StemIndex(index), position: seconds)))
        }
    }

    /// Whether a new stem can play now, and wherever the stems may continue by themselves.
    @_noLocks private func isReady(_ part: UnsafePointer<StemPart>?, _ timeline: borrowing Timeline) -> Bool {
        guard let part, let set else { return true }
        for deck in 0..<StemSetContent.deckCount {
            if !set.pointee.decks[deck].isAvailable { continue }
            if current >= 0, heads[current].deck == deck {
                let head = head(current)
                let ready = readyFrames(of: part, head: head, at: exactSeconds(ofHead: current, timeline), timeline)
                if ready < recoveryFrames(of: part, head: head, timeline) { return false }
            } else if !part.pointee.isStocked(onDeck: deck) {
                return false
            }
        }
        return true
    }

    /// Reports to the feeders of waiting stems which frames have been passed.
    @_noLocks func releaseWaiting(head: StemHead, at seconds: Double) {
        for index in 0..<head.reading.set.pointee.slotCount {
            guard let part = head.reading.set.pointee.slots[index].next else { continue }
            part.pointee.pass(seconds, onDeck: head.deck)
        }
    }

    /// Retires a part to the control side.
    @_noLocks private func leave(_ part: UnsafePointer<StemPart>) {
        part.pointee.isLeft.store(true, ordering: .releasing)
    }

    /// The next frame at which a stem has faded out, or the end of time.
    @_noLocks func nextSlotFrame() -> FrameTime {
        var next = FrameTime.never
        guard changingSlots > 0, let set else { return next }
        for index in 0..<set.pointee.slotCount where set.pointee.slots[index].hasFormer {
            let exit = set.pointee.slots[index].exit
            next = earlier(next, exit.start + exit.frames)
        }
        return next
    }
}

import BarlineDSP
import BarlineTime
import CRealtime

/// The places at which the stems are read, and where they are.
extension Stems {
    @_noLocks mutating func startHead(
        _ set: UnsafePointer<StemSetContent>, deck: Int, seconds: Double, at frame: FrameTime, isWhole: Bool,
        _ timeline: borrowing Timeline
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
        current = index
        restateLine(ofHead: index, timeline)
        findStemEdges(timeline)
    }

    /// A head that is free, or the one that has faded furthest.
    @_noLocks private func freeHead() -> Int {
        var oldest = 0
        for index in 0..<Stems.headCapacity {
            if heads[index].isFree { return index }
            if heads[index].envelope.start < heads[oldest].envelope.start { oldest = index }
        }
        return oldest
    }

    @_noLocks mutating func leaveCurrentHead(_ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        current = -1
        shift = 0
        isWrapLate = false
        heads[index].phase = .leaving
        heads[index].envelope = heads[index].envelope.redirected(to: 0, at: timeline.now, frames: timeline.fadeFrames)
        wrapFrame = FrameTime(rawValue: .max)
        endFrame = FrameTime(rawValue: .max)
    }

    /// Frees heads that have faded out.
    @_noLocks mutating func endHeads(_ timeline: borrowing Timeline) {
        for index in 0..<Stems.headCapacity {
            guard case .leaving = heads[index].phase else { continue }
            let envelope = heads[index].envelope
            if timeline.now - envelope.start < envelope.frames { continue }
            heads[index].phase = .free
            releaseDeck(heads[index].deck, of: heads[index].set)
        }
    }

    @_noLocks func releaseDeck(_ deck: Int, of set: UnsafePointer<StemSetContent>) {
        if self.set == set, heldDeck == deck || jumpDeck == deck { return }
        for index in 0..<Stems.headCapacity
        where !heads[index].isFree && heads[index].set == set && heads[index].deck == deck {
            return
        }
        set.pointee.decks[deck].status.store(StemDeck.Status.idle, ordering: .releasing)
    }

    // MARK: Position

    /// The position of a head now, in seconds.
    @_noLocks func exactSeconds(of head: StemHead, _ timeline: borrowing Timeline) -> Double {
        head.seconds(at: timeline.now, timeline.moment)
    }

    /// Restates a head's position for the stretch of constant tempo that begins now.
    @_noLocks func restateLine(ofHead index: Int, _ timeline: borrowing Timeline) {
        heads[index].lineFrame = timeline.now
        heads[index].lineSeconds = exactSeconds(of: heads[index], timeline)
        let recorded = heads[index].set.pointee.recordedTempo
        heads[index].speed = recorded > 0 ? timeline.tempo.tempo(at: timeline.now).beatsPerMinute / recorded : 1
    }

    /// Restates what follows from the tempo after it changed.
    @_noLocks mutating func restateLines(_ timeline: borrowing Timeline) {
        for index in 0..<Stems.headCapacity where !heads[index].isFree && heads[index].followsTempo {
            restateLine(ofHead: index, timeline)
        }
        findStemEdges(timeline)
    }

    /// Anchors every head where it was on the timeline that is over.
    @_noLocks mutating func anchorStems(from old: Retiming.Moment, _ timeline: borrowing Timeline) {
        for index in 0..<Stems.headCapacity where !heads[index].isFree {
            heads[index].anchorSeconds = heads[index].seconds(at: timeline.now, old)
            heads[index].anchorFrame = timeline.now
            heads[index].anchorBeat = timeline.tempo.beat(at: timeline.now)
            restateLine(ofHead: index, timeline)
        }
        findStemEdges(timeline)
    }

    /// Fades the stems out, to go on as if they had been played `frames` frames later.
    @_noLocks mutating func shiftStems(by frames: Int64, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        shift += frames
        heads[index].isStarved = true
        heads[index].envelope = heads[index].envelope.redirected(to: 0, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// Moves the stems, which nobody hears now, to where the timeline says that they are.
    @_noLocks mutating func catchUpStems(_ timeline: borrowing Timeline) {
        let index = current
        heads[index].anchorSeconds -= Double(shift) * heads[index].speed / timeline.sampleRate.hertz
        shift = 0
        restateLine(ofHead: index, timeline)
        findStemEdges(timeline)
    }
}

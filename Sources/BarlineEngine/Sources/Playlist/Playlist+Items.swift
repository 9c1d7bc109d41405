import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// The items of the playlist and their events.
extension Playlist {
    /// Takes the marks of a deck up to the entry position, to find the item there.
    ///
    /// - Parameters:
    ///   - deck: the deck.
    ///   - leftSeconds: where the playlist was in its item, where the deck was asked for anew, and is not what went on.
    ///   - context: the engine's.
    @_noLocks mutating func enterDeck(
        _ deck: Int, leftSeconds: Double? = nil, _ context: inout RenderContext
    ) {
        var entered = PlaylistMark.none
        while let mark = decks.popMark(deck) {
            if mark.position > entryPosition(context.timeline) {
                self.mark = mark
                break
            }
            switch mark.kind {
            case .start: entered = mark
            case .end: break
            case .skip: context.emit(.playlist(.itemSkipped(item: mark.item)))
            }
        }
        if entered.playNumber < 0 { return }
        if entered.playNumber == playNumber, entered.item.rawValue == item.rawValue {
            if leftSeconds != nil { endOutgoing(&context) }
            let hasMoved = entered.origin != origin
            origin = entered.origin
            let seconds = itemSeconds(at: entryPosition(context.timeline), context.timeline)
            // One that waits where it waited was only prepared otherwise.
            let hasWaited: Bool
            if let leftSeconds {
                hasWaited = !isStarted && abs(leftSeconds - seconds) < Playlist.sameSeconds
            } else {
                hasWaited = !hasMoved
            }
            if !hasWaited { context.emit(.playlist(.itemSeeked(item: item, position: seconds))) }
            return
        }
        endItem(&context)
        item = entered.item
        playNumber = entered.playNumber
        origin = entered.origin
        isStarted = false
    }

    @_noLocks func entryPosition(_ timeline: borrowing Timeline) -> Int64 {
        current >= 0 ? readings[current].position(at: timeline.now) : heldPosition
    }

    /// Positions in an item that are nearer than this are one, in seconds.
    private static var sameSeconds: Double { @_noLocks get { 1e-6 } }

    @_noLocks mutating func endItem(_ context: inout RenderContext) {
        endOutgoing(&context)
        if isStarted { context.emit(.playlist(.itemEnded(item: item))) }
        isStarted = false
    }

    /// Reports the end of the item that fades out, which may be cut short.
    @_noLocks private mutating func endOutgoing(_ context: inout RenderContext) {
        if outgoingPlayNumber < 0 { return }
        outgoingPlayNumber = -1
        context.emit(.playlist(.itemEnded(item: outgoing)))
    }

    /// Reports the end of the item that fades out where the deck goes on without it: its end is the next mark otherwise.
    @_noLocks private mutating func checkOutgoing(_ context: inout RenderContext) {
        if mark.position == .max { return }
        if case .end = mark.kind, mark.playNumber == outgoingPlayNumber { return }
        endOutgoing(&context)
    }

    @_noLocks mutating func announceStart(_ context: inout RenderContext) {
        if isStarted || playNumber < 0 { return }
        isStarted = true
        context.emit(.playlist(.itemStarted(item: item)))
    }

    /// The position in the item, in seconds, at `position` of the playlist's stream.
    @_noLocks func itemSeconds(at position: Int64, _ timeline: borrowing Timeline) -> Double {
        (Double(position) - origin) / timeline.sampleRate.hertz
    }

    /// The number of position reports per second.
    private static var reportsPerSecond: Double { @_noLocks get { 10 } }

    /// The rounding error of a number of periods.
    private static var reportTolerance: Double { @_noLocks get { 1e-6 } }

    /// Finds the position of the next position report.
    @_noLocks mutating func findTick(_ timeline: borrowing Timeline) {
        tick = .max
        if current < 0 { return }
        let period = timeline.sampleRate.hertz / Playlist.reportsPerSecond
        let position = readings[current].position(at: timeline.now)
        let passed = rt_floor((Double(position) - origin) / period + Playlist.reportTolerance)
        tick = FrameRounding.nearest(origin + (passed + 1) * period)
        // One that was rounded down to this frame has been reported on it.
        if tick <= position { tick = FrameRounding.nearest(origin + (passed + 2) * period) }
    }

    // MARK: Servicing

    @_noLocks mutating func handleDue(_ context: inout RenderContext) {
        heads.endFaded(at: context.now)
        if current < 0 {
            resumeDry(&context)
            return
        }
        let position = readings[current].position(at: context.now)
        if switchPosition <= position { takeNextDeck(at: position, &context) }
        supply(at: position, &context)
        while current >= 0, mark.position <= position { pass(mark, &context) }
        reportTime(&context)
    }

    /// Reports the position where that is due.
    @_noLocks mutating func reportTime(_ context: inout RenderContext) {
        if current < 0 { return }
        let position = readings[current].position(at: context.now)
        if tick > position { return }
        context.emit(.playlist(.itemTime(item: item, position: itemSeconds(at: position, context.timeline))))
        findTick(context.timeline)
    }

    /// Checks how far playback can continue, and fades out before an underrun.
    @_noLocks private mutating func supply(at position: Int64, _ context: inout RenderContext) {
        let deck = heads[current].deck
        let end = decks.sound(deck).end
        visible = decks.sound(deck).written
        takeMark(of: deck)
        checkOutgoing(&context)
        decks.sound(deck).release(before: position - PlaylistDeck.keptFrames)
        if end <= position {
            while mark.position <= position { pass(mark, &context) }
            endPlaylist(&context)
            return
        }
        let isLast = end <= visible || switchPosition <= visible
        if !isLast, visible - position < Int64(BlockSlice.largestCount) + context.fadeFrames {
            hold(fadeFrames: context.fadeFrames, context.timeline)
            wantsToPlay = true
            underruns += 1
            context.emit(.playlist(.underrun))
        }
    }

    /// Takes the next mark of a deck, once the previous one has been passed.
    @_noLocks mutating func takeMark(of deck: Int) {
        if mark.position == .max, let mark = decks.popMark(deck) { self.mark = mark }
    }

    /// Resumes when enough audio is available again.
    @_noLocks private mutating func resumeDry(_ context: inout RenderContext) {
        let deck = heads.heldDeck
        if !wantsToPlay || deck < 0 { return }
        let end = decks.sound(deck).end
        let written = decks.sound(deck).written
        if end == .max, written - heldPosition < context.sampleRate.frames(seconds: 0.5) { return }
        startHead(at: context.now, fade: 0, cutsOff: false, &context)
        context.emit(.playlist(.recovered))
    }

    @_noLocks private mutating func pass(_ mark: PlaylistMark, _ context: inout RenderContext) {
        let deck = heads[current].deck
        self.mark = decks.popMark(deck) ?? .none
        switch mark.kind {
        case .start(let isOverlapping):
            if isOverlapping, isStarted {
                endOutgoing(&context)
                (outgoing, outgoingPlayNumber) = (item, playNumber)
            } else {
                endItem(&context)
            }
            item = mark.item
            playNumber = mark.playNumber
            origin = mark.origin
            isStarted = true
            context.emit(.playlist(.itemStarted(item: mark.item)))
            findTick(context.timeline)
        case .end:
            if mark.playNumber == outgoingPlayNumber {
                endOutgoing(&context)
            } else if mark.playNumber == playNumber {
                endItem(&context)
            }
        case .skip: context.emit(.playlist(.itemSkipped(item: mark.item)))
        }
    }

    @_noLocks private mutating func endPlaylist(_ context: inout RenderContext) {
        tick = .max
        playNumber = -1
        endCount += 1
        endedDeck = heads[current].deck
        isStopped = true
        heads.end()
        endItem(&context)
        context.emit(.playlist(.ended))
    }

    /// The next due frame.
    @_noLocks func nextDueFrame() -> FrameTime {
        var next = FrameTime.never
        if current >= 0 {
            let head = readings[current]
            let end = decks.sound(heads[current].deck).end
            if end <= visible { next = earlier(next, head.frame(at: end)) }
            next = earlier(next, head.frame(at: mark.position))
            next = earlier(next, head.frame(at: switchPosition))
            next = earlier(next, head.frame(at: tick))
        }
        return earlier(next, heads.nextEnd)
    }
}

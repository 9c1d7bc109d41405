import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// Performing commands to the playlist.
extension Playlist {
    @_noLocks mutating func perform(_ action: Playlist.Action, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .start(let deck, let fade, let plays, let number):
            if number.version == 0, !take(number.start, deck: deck) { return }
            let isInPlace = number.pauseCount < 0 || number.pauseCount == pauseCount
            if isInPlace, number.follows(started) {
                started = number
                start(deck: deck, fade: fade, plays: plays, number, at: frame, &context)
            } else {
                heads.release(deck)
            }
        case .cancelStart(let start, let deck):
            if start > settledStarts[deck] {
                settledStarts[deck] = start
                heads.release(deck)
            }
        case .changeOver(let deck, let position, let fade):
            planSwitch(deck: deck, position: position, fade: fade, &context)
        case .play: play(at: frame, &context)
        case .pause: pause(&context)
        case .stop: stop(&context)
        }
    }

    /// Whether a start that is due was not cancelled.
    @_noLocks private mutating func take(_ start: Int, deck: Int) -> Bool {
        if start <= settledStarts[deck] { return false }
        settledStarts[deck] = start
        if start > lastStart { lastStart = start }
        return true
    }

    /// Leaves the playing deck for another: at once, over `fade` frames.
    @_noLocks private mutating func start(
        deck: Int, fade: Int64, plays: Bool, _ number: StartNumber, at frame: FrameTime,
        _ context: inout RenderContext
    ) {
        dropSwitch()
        // It goes on where it is, and counts from there.
        if number.version > 0 { reportTime(&context) }
        let isPlaying = current >= 0 || wantsToPlay
        let left = itemSeconds(at: entryPosition(context.timeline), context.timeline)
        let cutsOff = number.version == 0 ? dropUnheard(leaving: fade, &context) : current >= 0
        let crossfade = cutsOff ? fade : 0
        var former: StreamHead?
        if number.version > 0, cutsOff { former = heads[current] }
        leaveHead(frames: fade > 0 ? fade : context.fadeFrames, isCurved: fade > 0, context.timeline)
        heads.hold(deck)
        heldPosition = decks.sound(deck).first
        mark = .none
        enterDeck(deck, leftSeconds: number.version == 0 ? left : nil, &context)
        if plays || isPlaying {
            startHead(at: frame, fade: crossfade, cutsOff: cutsOff, after: former, &context)
        } else if Double(heldPosition) - origin > Playlist.beginningFrames {
            // If it is held within an item, that counts as a pause.
            isStopped = false
        }
    }

    /// Drops the head that plays if it began on this very frame, as if this start had been the only one.
    ///
    /// - Returns: whether something sounded until now.
    @_noLocks private mutating func dropUnheard(leaving fade: Int64, _ context: inout RenderContext) -> Bool {
        if current < 0 || begun != context.now { return current >= 0 }
        tick = .max
        heads.end()
        let longest = fade < leftFrames ? fade : leftFrames
        let frames = fade > 0 ? longest : context.fadeFrames
        return heads.leaveAnew(at: context.now, frames: frames, isCurved: fade > 0)
    }

    @_noLocks private mutating func play(at frame: FrameTime, _ context: inout RenderContext) {
        if current >= 0 { return }
        if heads.heldDeck < 0 {
            wantsToPlay = true
            isStopped = false
            return
        }
        pauseCount += 1
        startHead(at: frame, fade: 0, cutsOff: false, &context)
        context.emit(.playlist(.playing))
    }

    @_noLocks private mutating func pause(_ context: inout RenderContext) {
        let wasPlaying = current >= 0
        wantsToPlay = false
        hold(fadeFrames: context.fadeFrames, context.timeline)
        if wasPlaying {
            pauseCount += 1
            context.emit(.playlist(.paused))
        }
    }

    /// Fades out, to resume from the current frame.
    @_noLocks mutating func hold(fadeFrames: Int64, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        heads.hold(heads[index].deck)
        heldPosition = readings[index].position(at: timeline.now)
        leaveHead(frames: fadeFrames, isCurved: false, timeline)
        heads.hasten(at: timeline.now, frames: fadeFrames)
    }

    @_noLocks private mutating func stop(_ context: inout RenderContext) {
        wantsToPlay = false
        started = StartNumber(start: 0, version: 0)
        dropSwitch()
        leaveHead(frames: context.fadeFrames, isCurved: false, context.timeline)
        heads.hasten(at: context.now, frames: context.fadeFrames)
        heads.hold(-1)
        endItem(&context)
        playNumber = -1
        mark = .none
        if !isStopped { context.emit(.playlist(.stopped)) }
        isStopped = true
    }

    /// Applies a timeline change to the playlist: at another sample rate, prefetched audio becomes useless.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        guard case .sampleRate = retiming.change, isEnabled, current >= 0 else { return }
        hold(fadeFrames: retiming.from.fadeFrames, context.timeline)
        wantsToPlay = true
        visible = heldPosition
    }

    // MARK: Heads

    /// Starts what is held; `cutsOff` says that something sounded until now, `former` that it is another version of that.
    @_noLocks mutating func startHead(
        at frame: FrameTime, fade: Int64, cutsOff: Bool, after former: StreamHead? = nil,
        _ context: inout RenderContext
    ) {
        let deck = heads.takeHeld()
        let position = heldPosition
        wantsToPlay = false
        isStopped = false
        if resumeHead(deck: deck, position: position, context.timeline) {
            announceStart(&context)
            return
        }
        var head = StreamHead(decks.owners, deck: deck)
        // Starting at an item's beginning keeps the first transient intact. Where it begins within a sound there is none,
        // and who skips from item to item would hear a step.
        let isBeginning = Double(position) - origin < Playlist.beginningFrames
        let isWhole =
            fade == 0 && frame == context.now && isBeginning
            && !(cutsOff && isAudible(position, ofDeck: deck, &context))
        if !isWhole {
            head.fadeIn(at: context.now, frames: fade > 0 ? fade : context.fadeFrames, isCurved: fade > 0)
        }
        if let former { head.takeSwell(of: former, at: context.now) }
        heads.start(head)
        begun = context.now
        readings[current] = PlaylistReading(position: position, at: frame)
        visible = position
        announceStart(&context)
        findTick(context.timeline)
    }

    /// Whether a frame of a deck is above −60 dB.
    @_noLocks private func isAudible(
        _ position: Int64, ofDeck deck: Int, _ context: inout RenderContext
    ) -> Bool {
        let source = context.scratch.source
        decks.sound(deck).read(at: position, count: 1, left: source.left, right: source.right)
        let (left, right) = (abs(source.left[0]), abs(source.right[0]))
        return left > Playlist.audibleLevel || right > Playlist.audibleLevel
    }

    /// Resumes a head that began to fade out on this very frame: an undone pause.
    @_noLocks private mutating func resumeHead(deck: Int, position: Int64, _ timeline: borrowing Timeline) -> Bool {
        var index = heads.justLeft(deck, at: timeline.now, from: 0)
        while index >= 0, readings[index].position(at: timeline.now) != position {
            index = heads.justLeft(deck, at: timeline.now, from: index + 1)
        }
        if index < 0 { return false }
        heads.resume(index, at: timeline.now, frames: timeline.fadeFrames)
        visible = position
        findTick(timeline)
        return true
    }

    @_noLocks mutating func leaveHead(frames: Int64, isCurved: Bool, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        tick = .max
        // What follows the item in the deck is not part of its fade.
        let position = readings[index].position(at: timeline.now)
        takeMark(of: heads[index].deck)
        let written = decks.sound(heads[index].deck).written
        leftFrames = (mark.position < written ? mark.position : written) - position
        heads.leave(
            at: timeline.now, frames: isCurved && leftFrames < frames ? leftFrames : frames, isCurved: isCurved)
    }

    @_noLocks private mutating func dropSwitch() {
        heads.queue(-1)
        switchPosition = .max
    }
}

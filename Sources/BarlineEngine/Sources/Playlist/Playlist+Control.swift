import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// What is done to the playlist.
extension Playlist {
    @_noLocks mutating func perform(_ action: PlaylistAction, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .start(let deck, let fade, let plays):
            start(deck: deck, fade: fade, plays: plays, at: frame, &context)
        case .changeOver(let deck, let position, let fade):
            planSwitch(deck: deck, position: position, fade: fade, &context)
        case .play: play(at: frame, &context)
        case .pause: pause(&context)
        case .stop: stop(&context)
        }
    }

    /// Leaves what plays for a deck: at once, over `fade` frames.
    @_noLocks private mutating func start(
        deck: Int, fade: Int64, plays: Bool, at frame: FrameTime, _ context: inout RenderContext
    ) {
        dropSwitch()
        let isPlaying = current >= 0 || wantsToPlay
        let crossfade = current >= 0 ? fade : 0
        leaveHead(frames: fade > 0 ? fade : context.fadeFrames, isCurved: fade > 0, context.timeline)
        dropHeldDeck()
        heldDeck = deck
        heldPosition = decks[deck].first
        mark = .none
        enterDeck(deck, &context)
        if plays || isPlaying {
            startHead(at: frame, fade: crossfade, &context)
        } else if Double(heldPosition) - origin > Playlist.beginningFrames {
            // Within an item it stands, as if it had paused there.
            isStopped = false
        }
    }

    @_noLocks private mutating func play(at frame: FrameTime, _ context: inout RenderContext) {
        if current >= 0 { return }
        if heldDeck < 0 {
            wantsToPlay = true
            isStopped = false
            return
        }
        startHead(at: frame, fade: 0, &context)
        context.emit(.playlistPlaying)
    }

    @_noLocks private mutating func pause(_ context: inout RenderContext) {
        let wasPlaying = current >= 0
        wantsToPlay = false
        hold(fadeFrames: context.fadeFrames, context.timeline)
        if wasPlaying { context.emit(.playlistPaused) }
    }

    /// Fades out, to go on from this very frame.
    @_noLocks mutating func hold(fadeFrames: Int64, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        heldDeck = heads[index].deck
        heldPosition = heads[index].position(at: timeline.now)
        leaveHead(frames: fadeFrames, isCurved: false, timeline)
    }

    @_noLocks private mutating func stop(_ context: inout RenderContext) {
        wantsToPlay = false
        dropSwitch()
        leaveHead(frames: context.fadeFrames, isCurved: false, context.timeline)
        dropHeldDeck()
        endItem(&context)
        turn = -1
        mark = .none
        if !isStopped { context.emit(.playlistStopped) }
        isStopped = true
    }

    /// What a change of the timeline does to the playlist: at another sample rate, what is written ahead is of no use
    /// any more.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        guard case .sampleRate = retiming.change, isEnabled, current >= 0 else { return }
        hold(fadeFrames: retiming.from.fadeFrames, context.timeline)
        wantsToPlay = true
        visible = heldPosition
    }

    // MARK: Heads

    @_noLocks mutating func startHead(at frame: FrameTime, fade: Int64, _ context: inout RenderContext) {
        let deck = heldDeck
        let position = heldPosition
        heldDeck = -1
        wantsToPlay = false
        isStopped = false
        if resumeHead(deck: deck, position: position, context.timeline) {
            announceStart(&context)
            return
        }
        var head = PlaylistHead(deck: deck, position: position, at: frame)
        head.phase = .playing
        // An item's first transient is kept whole.
        let isWhole = fade == 0 && frame == context.now && Double(position) - origin < Playlist.beginningFrames
        if !isWhole {
            head.isCurved = fade > 0
            head.envelope = Ramp(from: 0, to: 1, start: context.now, frames: fade > 0 ? fade : context.fadeFrames)
        }
        let index = freeHead()
        let stolen = heads[index]
        heads[index] = head
        if !stolen.isFree { releaseDeck(stolen.deck) }
        current = index
        visible = position
        announceStart(&context)
        findTick(context.timeline)
    }

    /// Resumes a head that began to fade out on this very frame: a pause that is undone.
    @_noLocks private mutating func resumeHead(deck: Int, position: Int64, _ timeline: borrowing Timeline) -> Bool {
        for index in 0..<Playlist.headCapacity {
            guard case .leaving = heads[index].phase, heads[index].deck == deck,
                heads[index].envelope.start == timeline.now, heads[index].position(at: timeline.now) == position
            else { continue }
            heads[index].phase = .playing
            heads[index].fade(
                to: 1, at: timeline.now, frames: timeline.fadeFrames, isCurved: heads[index].isCurved)
            current = index
            visible = position
            findTick(timeline)
            return true
        }
        return false
    }

    /// A head that is free, or the one that has faded longest.
    @_noLocks func freeHead() -> Int {
        var oldest = -1
        for index in 0..<Playlist.headCapacity where index != current {
            if heads[index].isFree { return index }
            if oldest < 0 || heads[index].envelope.start < heads[oldest].envelope.start { oldest = index }
        }
        return oldest
    }

    @_noLocks mutating func leaveHead(frames: Int64, isCurved: Bool, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        current = -1
        tick = .max
        var length = frames
        if isCurved {
            // What follows the item in the deck is not part of its fade.
            let position = heads[index].position(at: timeline.now)
            takeMark(of: heads[index].deck)
            let written = decks[heads[index].deck].written
            let last = mark.position < written ? mark.position : written
            if last - position < length { length = last - position }
        }
        heads[index].phase = .leaving
        heads[index].fade(to: 0, at: timeline.now, frames: length, isCurved: isCurved)
    }

    @_noLocks mutating func dropHeldDeck() {
        let deck = heldDeck
        heldDeck = -1
        if deck >= 0 { releaseDeck(deck) }
    }

    @_noLocks private mutating func dropSwitch() {
        let deck = nextDeck
        nextDeck = -1
        switchPosition = .max
        if deck >= 0 { releaseDeck(deck) }
    }

    @_noLocks func releaseDeck(_ deck: Int) {
        if heldDeck == deck || nextDeck == deck { return }
        for index in 0..<Playlist.headCapacity where !heads[index].isFree && heads[index].deck == deck {
            return
        }
        decks[deck].leave()
    }

    /// Frees heads that have faded out.
    @_noLocks mutating func endHeads(_ timeline: borrowing Timeline) {
        for index in 0..<Playlist.headCapacity {
            guard case .leaving = heads[index].phase else { continue }
            if timeline.now - heads[index].envelope.start < heads[index].envelope.frames { continue }
            heads[index].phase = .free
            releaseDeck(heads[index].deck)
        }
    }
}

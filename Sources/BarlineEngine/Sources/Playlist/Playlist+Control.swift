import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// What is done to the playlist.
extension Renderer {
    @_noLocks mutating func performPlaylist(_ action: Action, at frame: FrameTime) {
        switch action {
        case .playlistStart(let deck, let fade, let plays):
            startPlaylist(deck: deck, fade: fade, plays: plays, at: frame)
        case .playlistSwitch(let deck, let position, let fade): planSwitch(deck: deck, position: position, fade: fade)
        case .playlistPlay: playPlaylist(at: frame)
        case .playlistPause: pausePlaylist()
        case .playlistStop: stopPlaylist()
        default: break
        }
    }

    /// Leaves what plays for a deck: at once, over `fade` frames.
    @_noLocks private mutating func startPlaylist(deck: Int, fade: Int64, plays: Bool, at frame: FrameTime) {
        dropSwitch()
        let isPlaying = playlist.current >= 0 || playlist.wantsToPlay
        let crossfade = playlist.current >= 0 ? fade : 0
        leaveListHead(frames: fade > 0 ? fade : timeline.fadeFrames, isCurved: fade > 0)
        dropHeldDeck()
        playlist.heldDeck = deck
        playlist.heldPosition = decks[deck].first.load(ordering: .acquiring)
        playlist.mark = .none
        enterDeck(deck)
        if plays || isPlaying {
            startListHead(at: frame, fade: crossfade)
        } else if Double(playlist.heldPosition) - playlist.origin > 0.75 {
            // Within an item it stands, as if it had paused there.
            playlist.isStopped = false
        }
    }

    @_noLocks private mutating func playPlaylist(at frame: FrameTime) {
        if playlist.current >= 0 { return }
        if playlist.heldDeck < 0 {
            playlist.wantsToPlay = true
            playlist.isStopped = false
            return
        }
        startListHead(at: frame, fade: 0)
        emit(.playlistPlaying)
    }

    @_noLocks private mutating func pausePlaylist() {
        let wasPlaying = playlist.current >= 0
        playlist.wantsToPlay = false
        hold(fadeFrames: timeline.fadeFrames)
        if wasPlaying { emit(.playlistPaused) }
    }

    /// Fades out, to go on from this very frame.
    @_noLocks private mutating func hold(fadeFrames: Int64) {
        let index = playlist.current
        if index < 0 { return }
        playlist.heldDeck = listHeads[index].deck
        playlist.heldPosition = listHeads[index].position(at: timeline.now)
        leaveListHead(frames: fadeFrames, isCurved: false)
    }

    @_noLocks private mutating func stopPlaylist() {
        playlist.wantsToPlay = false
        dropSwitch()
        leaveListHead(frames: timeline.fadeFrames, isCurved: false)
        dropHeldDeck()
        endItem()
        playlist.turn = -1
        playlist.mark = .none
        if !playlist.isStopped { emit(.playlistStopped) }
        playlist.isStopped = true
    }

    /// What a change of the timeline does to the playlist: at another sample rate, what is written ahead is of no use
    /// any more.
    @_noLocks mutating func retimePlaylist(_ retiming: Retiming) {
        guard case .sampleRate = retiming.change, hasPlaylist, playlist.current >= 0 else { return }
        hold(fadeFrames: retiming.from.fadeFrames)
        playlist.wantsToPlay = true
        playlist.visible = playlist.heldPosition
    }

    // MARK: Heads

    @_noLocks private mutating func startListHead(at frame: FrameTime, fade: Int64) {
        let deck = playlist.heldDeck
        let position = playlist.heldPosition
        playlist.heldDeck = -1
        playlist.wantsToPlay = false
        playlist.isStopped = false
        if turnBackListHead(deck: deck, position: position) {
            tellStart()
            return
        }
        var head = PlaylistHead(deck: deck, position: position, at: frame)
        head.phase = .playing
        // An item's first transient is kept whole.
        let isWhole = fade == 0 && frame == timeline.now && Double(position) - playlist.origin < 0.75
        if !isWhole {
            head.isCurved = fade > 0
            head.envelope = Ramp(from: 0, to: 1, start: timeline.now, frames: fade > 0 ? fade : timeline.fadeFrames)
        }
        let index = freeListHead()
        let stolen = listHeads[index]
        listHeads[index] = head
        if !stolen.isFree { releaseListDeck(stolen.deck) }
        playlist.current = index
        playlist.visible = position
        tellStart()
        findTick()
    }

    /// Goes on with a head that began to leave on this very frame: a pause that is taken back.
    @_noLocks private mutating func turnBackListHead(deck: Int, position: Int64) -> Bool {
        for index in 0..<PlaylistState.headCapacity {
            guard case .leaving = listHeads[index].phase, listHeads[index].deck == deck,
                listHeads[index].envelope.start == timeline.now, listHeads[index].position(at: timeline.now) == position
            else { continue }
            listHeads[index].phase = .playing
            listHeads[index].fade(
                to: 1, at: timeline.now, frames: timeline.fadeFrames, isCurved: listHeads[index].isCurved)
            playlist.current = index
            playlist.visible = position
            findTick()
            return true
        }
        return false
    }

    /// A head that is free, or the one that has faded longest.
    @_noLocks func freeListHead() -> Int {
        var oldest = -1
        for index in 0..<PlaylistState.headCapacity where index != playlist.current {
            if listHeads[index].isFree { return index }
            if oldest < 0 || listHeads[index].envelope.start < listHeads[oldest].envelope.start { oldest = index }
        }
        return oldest
    }

    @_noLocks mutating func leaveListHead(frames: Int64, isCurved: Bool) {
        let index = playlist.current
        if index < 0 { return }
        playlist.current = -1
        playlist.tick = .max
        var length = frames
        if isCurved {
            // What follows the item in the deck is not part of its fade.
            let position = listHeads[index].position(at: timeline.now)
            let written = decks[listHeads[index].deck].written.load(ordering: .acquiring)
            let last = playlist.mark.position < written ? playlist.mark.position : written
            if last - position < length { length = last - position }
        }
        listHeads[index].phase = .leaving
        listHeads[index].fade(to: 0, at: timeline.now, frames: length, isCurved: isCurved)
    }

    @_noLocks mutating func dropHeldDeck() {
        let deck = playlist.heldDeck
        playlist.heldDeck = -1
        if deck >= 0 { releaseListDeck(deck) }
    }

    @_noLocks private mutating func dropSwitch() {
        let deck = playlist.nextDeck
        playlist.nextDeck = -1
        playlist.switchPosition = .max
        if deck >= 0 { releaseListDeck(deck) }
    }

    @_noLocks func releaseListDeck(_ deck: Int) {
        if playlist.heldDeck == deck || playlist.nextDeck == deck { return }
        for index in 0..<PlaylistState.headCapacity where !listHeads[index].isFree && listHeads[index].deck == deck {
            return
        }
        decks[deck].status.store(PlaylistDeck.Status.idle, ordering: .releasing)
    }

    /// Frees heads that have faded out.
    @_noLocks private mutating func endListHeads() {
        for index in 0..<PlaylistState.headCapacity {
            guard case .leaving = listHeads[index].phase else { continue }
            if timeline.now - listHeads[index].envelope.start < listHeads[index].envelope.frames { continue }
            listHeads[index].phase = .free
            releaseListDeck(listHeads[index].deck)
        }
    }

    // MARK: Items

    /// Takes the marks of a deck up to where it is entered: they tell which item that is.
    @_noLocks mutating func enterDeck(_ deck: Int) {
        var entered = PlaylistMark.none
        while let mark = decks[deck].marks.pop() {
            if mark.position > entryPosition {
                playlist.mark = mark
                break
            }
            switch mark.kind {
            case .start: entered = mark
            case .end: break
            case .skip: emit(.itemSkipped(item: mark.item))
            }
        }
        if entered.turn < 0 { return }
        if entered.turn == playlist.turn, entered.item.rawValue == playlist.item.rawValue {
            if entered.origin != playlist.origin {
                playlist.origin = entered.origin
                emit(.itemSeeked(item: playlist.item, position: itemSeconds(at: entryPosition)))
            }
            return
        }
        endItem()
        playlist.item = entered.item
        playlist.turn = entered.turn
        playlist.origin = entered.origin
        playlist.isStarted = false
    }

    private var entryPosition: Int64 {
        @_noLocks get {
            playlist.current >= 0 ? listHeads[playlist.current].position(at: timeline.now) : playlist.heldPosition
        }
    }

    @_noLocks private mutating func endItem() {
        if playlist.isStarted { emit(.itemEnded(item: playlist.item)) }
        playlist.isStarted = false
    }

    @_noLocks mutating func tellStart() {
        if playlist.isStarted || playlist.turn < 0 { return }
        playlist.isStarted = true
        emit(.itemStarted(item: playlist.item))
    }

    /// The position in the item, in seconds, at `position` of the playlist's sound.
    @_noLocks func itemSeconds(at position: Int64) -> Double {
        (Double(position) - playlist.origin) / timeline.sampleRate.hertz
    }

    /// Finds where the time is told next: every 0.1 s of the item.
    @_noLocks mutating func findTick() {
        playlist.tick = .max
        if playlist.current < 0 { return }
        let tenth = timeline.sampleRate.hertz / 10
        let position = listHeads[playlist.current].position(at: timeline.now)
        let passed = rt_floor((Double(position) - playlist.origin) / tenth + 1e-6)
        playlist.tick = FrameRounding.nearest(playlist.origin + (passed + 1) * tenth)
    }

    // MARK: What is due

    @_noLocks mutating func handlePlaylistDue() {
        endListHeads()
        if playlist.current < 0 {
            resumeDry()
            return
        }
        let position = listHeads[playlist.current].position(at: timeline.now)
        if playlist.switchPosition <= position { takeNextDeck(at: position) }
        supply(at: position)
        while playlist.current >= 0, playlist.mark.position <= position { pass(playlist.mark) }
        if playlist.current >= 0, playlist.tick <= position {
            emit(.itemTime(item: playlist.item, position: itemSeconds(at: position)))
            findTick()
        }
    }

    /// Looks how far playing can go on, and fades out before it can't.
    @_noLocks private mutating func supply(at position: Int64) {
        let deck = listHeads[playlist.current].deck
        let end = decks[deck].end.load(ordering: .acquiring)
        playlist.visible = decks[deck].written.load(ordering: .acquiring)
        if playlist.mark.position == .max, let mark = decks[deck].marks.pop() { playlist.mark = mark }
        decks[deck].release(before: position - PlaylistDeck.keptFrames)
        if end <= position {
            while playlist.mark.position <= position { pass(playlist.mark) }
            endPlaylist()
            return
        }
        let isLast = end <= playlist.visible || playlist.switchPosition <= playlist.visible
        if !isLast, playlist.visible - position < Int64(BlockSlice.largestCount) + timeline.fadeFrames {
            hold(fadeFrames: timeline.fadeFrames)
            playlist.wantsToPlay = true
            playlist.underruns += 1
            emit(.playlistUnderrun)
        }
    }

    /// Plays on when there is enough again.
    @_noLocks private mutating func resumeDry() {
        let deck = playlist.heldDeck
        if !playlist.wantsToPlay || deck < 0 { return }
        let end = decks[deck].end.load(ordering: .acquiring)
        let written = decks[deck].written.load(ordering: .acquiring)
        if end == .max, written - playlist.heldPosition < timeline.sampleRate.frames(seconds: 0.5) { return }
        startListHead(at: timeline.now, fade: 0)
        emit(.playlistRecovered)
    }

    @_noLocks private mutating func pass(_ mark: PlaylistMark) {
        let deck = listHeads[playlist.current].deck
        playlist.mark = decks[deck].marks.pop() ?? .none
        switch mark.kind {
        case .start(let isOverlapping):
            if !isOverlapping { endItem() }
            playlist.item = mark.item
            playlist.turn = mark.turn
            playlist.origin = mark.origin
            playlist.isStarted = true
            emit(.itemStarted(item: mark.item))
            findTick()
        case .end:
            if mark.turn == playlist.turn { playlist.isStarted = false }
            emit(.itemEnded(item: mark.item))
        case .skip: emit(.itemSkipped(item: mark.item))
        }
    }

    @_noLocks private mutating func endPlaylist() {
        let index = playlist.current
        let deck = listHeads[index].deck
        playlist.current = -1
        playlist.tick = .max
        playlist.turn = -1
        playlist.isStopped = true
        listHeads[index].phase = .free
        releaseListDeck(deck)
        endItem()
        emit(.playlistEnded)
    }

    /// The frame at which something is due next.
    @_noLocks func nextPlaylistFrame() -> FrameTime {
        var next = FrameTime(rawValue: .max)
        if playlist.current >= 0 {
            let head = listHeads[playlist.current]
            let end = decks[head.deck].end.load(ordering: .relaxed)
            if end <= playlist.visible { next = earlier(next, head.frame(at: end)) }
            next = earlier(next, head.frame(at: playlist.mark.position))
            next = earlier(next, head.frame(at: playlist.switchPosition))
            next = earlier(next, head.frame(at: playlist.tick))
        }
        for index in 0..<PlaylistState.headCapacity {
            guard case .leaving = listHeads[index].phase else { continue }
            next = earlier(next, listHeads[index].envelope.start + listHeads[index].envelope.frames)
        }
        return next
    }
}

import BarlineDSP
import BarlineTime
import Synchronization

/// How an edited playlist takes the place of the one that was written ahead.
extension Renderer {
    @_noLocks mutating func planSwitch(deck: Int, position: Int64, fade: Int64) {
        let old = playlist.nextDeck
        playlist.nextDeck = deck
        playlist.switchPosition = deck < 0 ? .max : position
        playlist.switchFade = fade
        if old >= 0 { releaseListDeck(old) }
        if deck < 0 { return }
        let held = playlist.current < 0 && playlist.heldDeck >= 0
        if held, playlist.heldPosition > position {
            takeNextDeck(at: playlist.heldPosition)
        } else if playlist.current < 0, playlist.heldDeck < 0 {
            // What it was to go on from has ended in the meantime.
            playlist.heldDeck = deck
            playlist.heldPosition = position
            playlist.nextDeck = -1
            playlist.switchPosition = .max
            playlist.mark = .none
            enterDeck(deck)
        }
    }

    /// Reads the other deck from `position` on.
    @_noLocks mutating func takeNextDeck(at position: Int64) {
        let deck = playlist.nextDeck
        let isLate = position > playlist.switchPosition
        let fade = isLate && playlist.switchFade == 0 ? timeline.fadeFrames : playlist.switchFade
        playlist.nextDeck = -1
        playlist.switchPosition = .max
        playlist.mark = .none
        let index = playlist.current
        if index < 0 {
            dropHeldDeck()
            playlist.heldDeck = deck
            playlist.heldPosition = position
            enterDeck(deck)
            return
        }
        let old = listHeads[index]
        var head = PlaylistHead(deck: deck, position: position, at: timeline.now)
        head.phase = .playing
        if fade == 0 {
            head.envelope = old.envelope
            head.isCurved = old.isCurved
            listHeads[index] = head
            releaseListDeck(old.deck)
        } else {
            leaveListHead(frames: fade, isCurved: false)
            head.envelope = Ramp(from: 0, to: 1, start: timeline.now, frames: fade)
            let place = freeListHead()
            let stolen = listHeads[place]
            listHeads[place] = head
            if !stolen.isFree { releaseListDeck(stolen.deck) }
            playlist.current = place
        }
        playlist.visible = position
        enterDeck(deck)
        tellStart()
        findTick()
    }
}

import BarlineDSP
import BarlineTime
import Synchronization

/// How an edited playlist takes the place of the one that was written ahead.
extension Playlist {
    @_noLocks mutating func planSwitch(deck: Int, position: Int64, fade: Int64, _ context: inout RenderContext) {
        let old = nextDeck
        nextDeck = deck
        switchPosition = deck < 0 ? .max : position
        switchFade = fade
        if old >= 0 { releaseDeck(old) }
        if deck < 0 { return }
        let held = current < 0 && heldDeck >= 0
        if held, heldPosition > position {
            takeNextDeck(at: heldPosition, &context)
        } else if current < 0, heldDeck < 0 {
            // What it was to go on from has ended in the meantime.
            heldDeck = deck
            heldPosition = position
            nextDeck = -1
            switchPosition = .max
            mark = .none
            enterDeck(deck, &context)
        }
    }

    /// Reads the other deck from `position` on.
    @_noLocks mutating func takeNextDeck(at position: Int64, _ context: inout RenderContext) {
        let deck = nextDeck
        let isLate = position > switchPosition
        let fade = isLate && switchFade == 0 ? context.fadeFrames : switchFade
        nextDeck = -1
        switchPosition = .max
        mark = .none
        let index = current
        if index < 0 {
            dropHeldDeck()
            heldDeck = deck
            heldPosition = position
            enterDeck(deck, &context)
            return
        }
        let old = heads[index]
        var head = PlaylistHead(deck: deck, position: position, at: context.now)
        head.phase = .playing
        if fade == 0 {
            head.envelope = old.envelope
            head.isCurved = old.isCurved
            heads[index] = head
            releaseDeck(old.deck)
        } else {
            leaveHead(frames: fade, isCurved: false, context.timeline)
            head.envelope = Ramp(from: 0, to: 1, start: context.now, frames: fade)
            let place = freeHead()
            let stolen = heads[place]
            heads[place] = head
            if !stolen.isFree { releaseDeck(stolen.deck) }
            current = place
        }
        visible = position
        enterDeck(deck, &context)
        announceStart(&context)
        findTick(context.timeline)
    }
}

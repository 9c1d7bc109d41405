import BarlineDSP
import BarlineTime
import Synchronization

/// Switching to the deck of an edited playlist.
extension Playlist {
    @_noLocks mutating func planSwitch(deck: Int, position: Int64, fade: Int64, _ context: inout RenderContext) {
        heads.queue(deck)
        switchPosition = deck < 0 ? .max : position
        switchFade = fade
        if deck < 0 { return }
        let held = current < 0 && heads.heldDeck >= 0
        if held, heldPosition > position {
            takeNextDeck(at: heldPosition, &context)
        } else if current < 0, heads.heldDeck < 0 {
            // The deck it would have resumed from has ended meanwhile.
            heads.hold(heads.takeNext())
            heldPosition = position
            switchPosition = .max
            mark = .none
            enterDeck(deck, &context)
        }
    }

    /// Switches to the next deck at `position`.
    @_noLocks mutating func takeNextDeck(at position: Int64, _ context: inout RenderContext) {
        let deck = heads.takeNext()
        let isLate = position > switchPosition
        let fade = isLate && switchFade == 0 ? context.fadeFrames : switchFade
        switchPosition = .max
        mark = .none
        let index = current
        if index < 0 {
            heads.hold(deck)
            heldPosition = position
            enterDeck(deck, &context)
            return
        }
        let old = heads[index]
        var head = StreamHead(decks.owners, deck: deck)
        if fade == 0 {
            head.takeLevel(of: old)
            heads.replaceCurrent(with: head)
        } else {
            leaveHead(frames: fade, isCurved: false, context.timeline)
            head.fadeIn(at: context.now, frames: fade)
            head.takeSwell(of: old, at: context.now)
            heads.start(head)
        }
        readings[current] = PlaylistReading(position: position, at: context.now)
        visible = position
        enterDeck(deck, &context)
        announceStart(&context)
        findTick(context.timeline)
    }
}

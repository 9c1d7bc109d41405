import BarlineDSP
import BarlineTime

/// How the playlist sounds.
extension Renderer {
    /// Mixes the playlist over a slice.
    @_noLocks func mixPlaylist(_ slice: BlockSlice) {
        let count = slice.count
        var isHeard = false
        for index in 0..<PlaylistState.headCapacity where !listHeads[index].isFree {
            if !isHeard {
                clear(scratch.trackLeft, count)
                clear(scratch.trackRight, count)
                isHeard = true
            }
            add(listHeads[index], count)
        }
        if isHeard {
            mixer.mix(channel: mixer.layout.playlist, scratch.signal, slice)
        } else {
            mixer.rest(channel: mixer.layout.playlist, scratch.signal, slice)
        }
    }

    @_noLocks private func add(_ head: PlaylistHead, _ count: Int) {
        decks[head.deck].read(
            at: head.position(at: timeline.now), count: count, left: scratch.voiceLeft, right: scratch.voiceRight)
        if head.envelope.isSettled(at: timeline.now) {
            let gain = head.gain(at: timeline.now)
            for frame in 0..<count {
                scratch.trackLeft[frame] += scratch.voiceLeft[frame] * gain
                scratch.trackRight[frame] += scratch.voiceRight[frame] * gain
            }
            return
        }
        for frame in 0..<count {
            let gain = head.gain(at: timeline.now + Int64(frame))
            scratch.trackLeft[frame] += scratch.voiceLeft[frame] * gain
            scratch.trackRight[frame] += scratch.voiceRight[frame] * gain
        }
    }
}

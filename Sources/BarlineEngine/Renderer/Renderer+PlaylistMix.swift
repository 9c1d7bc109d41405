import BarlineDSP
import BarlineTime

/// How the playlist sounds.
extension Renderer {
    /// Mixes the playlist over `count` frames, over which nothing is due.
    @_noLocks mutating func mixPlaylist(
        _ block: AudioBlock, _ ballistics: MeterBallistics, offset: Int, count: Int
    ) {
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
            mixChannel(playlistChannel, block, ballistics, offset: offset, count: count)
        } else {
            rest(channel: playlistChannel, block, ballistics, offset: offset, count: count)
        }
    }

    @_noLocks private func add(_ head: PlaylistHead, _ count: Int) {
        decks[head.deck].read(
            at: head.position(at: now), count: count, left: scratch.voiceLeft, right: scratch.voiceRight)
        if head.envelope.isSettled(at: now) {
            let gain = head.gain(at: now)
            for frame in 0..<count {
                scratch.trackLeft[frame] += scratch.voiceLeft[frame] * gain
                scratch.trackRight[frame] += scratch.voiceRight[frame] * gain
            }
            return
        }
        for frame in 0..<count {
            let gain = head.gain(at: now + Int64(frame))
            scratch.trackLeft[frame] += scratch.voiceLeft[frame] * gain
            scratch.trackRight[frame] += scratch.voiceRight[frame] * gain
        }
    }
}

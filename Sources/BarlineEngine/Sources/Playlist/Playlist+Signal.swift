import BarlineDSP
import BarlineTime

/// Rendering the playlist.
extension Playlist {
    /// Renders a slice of the playlist.
    @_noLocks func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let count = slice.count
        var isAudible = false
        for index in 0..<heads.capacity where !heads[index].isFree {
            if !isAudible {
                context.scratch.signal.clear(count)
                isAudible = true
            }
            add(heads[index], readings[index], count, &context)
        }
        if isAudible {
            context.mixer.mix(channel: channel, context.scratch.signal, slice)
        } else {
            context.mixer.rest(channel: channel, context.scratch.signal, slice)
        }
    }

    @_noLocks private func add(
        _ head: StreamHead, _ reading: PlaylistReading, _ count: Int, _ context: inout RenderContext
    ) {
        decks.sound(head.deck).read(
            at: reading.position(at: context.now), count: count, left: context.scratch.voiceLeft,
            right: context.scratch.voiceRight)
        if head.isSettled(at: context.now) {
            context.scratch.signal.add(context.scratch.source, gain: head.gain(at: context.now), count)
            return
        }
        for frame in 0..<count {
            let gain = head.gain(at: context.now + Int64(frame))
            context.scratch.trackLeft[frame] += context.scratch.voiceLeft[frame] * gain
            context.scratch.trackRight[frame] += context.scratch.voiceRight[frame] * gain
        }
    }
}

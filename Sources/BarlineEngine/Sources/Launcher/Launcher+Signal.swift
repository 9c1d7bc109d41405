import BarlineDSP
import BarlineTime

/// Rendering clips.
extension Launcher {
    /// Renders a slice of the tracks' channels.
    @_noLocks mutating func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let count = slice.count
        let segment = context.timeline.tempo.segment(at: context.now)
        let isRamping = context.timeline.isRamping
        listVoicesOfTracks()
        prefetch(context.timeline)
        for track in 0..<trackCount {
            let isMonitored = tracks[track].monitor.isAudible(at: context.now)
            if tracks[track].firstVoice >= 0 || isMonitored {
                if tracks[track].firstVoice < 0 { context.scratch.signal.clear(count) }
                var index = tracks[track].firstVoice
                var isFirst = true
                while index >= 0 {
                    let frames = pool.read(
                        voice: index, segment: segment, isRamping: isRamping, count: count, &context)
                    voices[index].add(frames, isFirst: isFirst, count: count, &context)
                    isFirst = false
                    index = voices[index].nextOfTrack
                }
                if isMonitored { tracks[track].monitor.add(count: count, &context) }
                context.mixer.mix(channel: track, context.scratch.signal, slice)
                continue
            }
            context.mixer.rest(channel: track, context.scratch.signal, slice)
        }
    }

    /// Links the voices of each track in the order of the pool, so that they are always summed in the same order.
    @_noLocks private func listVoicesOfTracks() {
        for track in 0..<trackCount { tracks[track].firstVoice = -1 }
        var index = pool.voiceEnd - 1
        while index >= 0 {
            if !voices[index].isFree {
                let track = voices[index].content.pointee.track
                voices[index].nextOfTrack = tracks[track].firstVoice
                tracks[track].firstVoice = index
            }
            index -= 1
        }
    }
}

import BarlineDSP
import BarlineTime

extension Metronome {
    /// Mixes the clicks in progress into the metronome's channel.
    @_noLocks mutating func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let channel = context.mixer.layout.metronome
        let count = slice.count
        trimClicks(context.timeline)
        if voiceEnd == 0 {
            context.mixer.rest(channel: channel, context.scratch.signal, slice)
            return
        }
        context.scratch.signal.clear(count)
        for index in 0..<voiceEnd where voices[index].end > context.now {
            let voice = voices[index]
            context.reader.read(
                voice.region, from: voice.position(at: context.now), step: voice.step,
                filter: context.reader.filter(rate: voice.rate), count: count, left: context.scratch.voiceLeft,
                right: context.scratch.voiceRight)
            context.scratch.signal.add(context.scratch.source, gain: voice.gain, count)
        }
        context.mixer.mix(channel: channel, context.scratch.signal, slice)
    }

    @_noLocks private mutating func trimClicks(_ timeline: borrowing Timeline) {
        while voiceEnd > 0, voices[voiceEnd - 1].end <= timeline.now {
            voiceEnd -= 1
        }
    }

    /// Continues the clicks in progress at another sample rate.
    @_noLocks mutating func changeClickRate(to rate: SampleRate, _ timeline: borrowing Timeline) {
        for index in 0..<voiceEnd { voices[index].changeSampleRate(to: rate, at: timeline.now) }
        taps.reset()
    }

    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool {
        for index in 0..<voiceEnd
        where voices[index].end > now && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return false
    }
}

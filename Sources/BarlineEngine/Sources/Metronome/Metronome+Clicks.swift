import BarlineDSP
import BarlineTime

extension Renderer {
    /// Adds the clicks that sound to the metronome's channel.
    @_noLocks mutating func mixMetronome(_ slice: BlockSlice) {
        let channel = mixer.layout.metronome
        let count = slice.count
        trimClicks()
        if metronome.voiceEnd == 0 {
            mixer.rest(channel: channel, scratch.signal, slice)
            return
        }
        clear(scratch.trackLeft, count)
        clear(scratch.trackRight, count)
        for index in 0..<metronome.voiceEnd where metronome.voices[index].end > timeline.now {
            let voice = metronome.voices[index]
            let left = scratch.voiceLeft
            let right = scratch.voiceRight
            reader.read(
                voice.region, from: voice.position(at: timeline.now), step: voice.step,
                filter: reader.filter(rate: voice.rate),
                count: count, left: left, right: right)
            for frame in 0..<count {
                scratch.trackLeft[frame] += left[frame] * voice.gain
                scratch.trackRight[frame] += right[frame] * voice.gain
            }
        }
        mixer.mix(channel: channel, scratch.signal, slice)
    }

    @_noLocks private mutating func trimClicks() {
        while metronome.voiceEnd > 0, metronome.voices[metronome.voiceEnd - 1].end <= timeline.now {
            metronome.voiceEnd -= 1
        }
    }

    /// Goes on with the clicks that sound at another sample rate.
    @_noLocks mutating func changeClickRate(to rate: SampleRate) {
        let voices = metronome.voices
        for index in 0..<metronome.voiceEnd { voices[index].changeSampleRate(to: rate, at: timeline.now) }
        metronome.taps.reset()
    }

    @_noLocks func isInUse(clicks address: UnsafeRawPointer) -> Bool {
        for index in 0..<metronome.voiceEnd
        where metronome.voices[index].end > timeline.now && UnsafeRawPointer(metronome.voices[index].content) == address
        {
            return true
        }
        return false
    }
}

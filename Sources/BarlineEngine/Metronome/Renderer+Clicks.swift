import BarlineDSP
import BarlineTime

extension Renderer {
    /// Adds the clicks that sound to the metronome's channel.
    @_noLocks mutating func mixMetronome(
        _ block: AudioBlock, _ ballistics: MeterBallistics, offset: Int, count: Int
    ) {
        trimClicks()
        if metronome.voiceEnd == 0 {
            rest(channel: metronomeChannel, block, ballistics, offset: offset, count: count)
            return
        }
        clear(scratch.trackLeft, count)
        clear(scratch.trackRight, count)
        for index in 0..<metronome.voiceEnd where metronome.voices[index].end > now {
            let voice = metronome.voices[index]
            let left = scratch.voiceLeft
            let right = scratch.voiceRight
            reader.read(
                voice.region, from: voice.position(at: now), step: voice.step, filter: reader.filter(rate: voice.rate),
                count: count, left: left, right: right)
            for frame in 0..<count {
                scratch.trackLeft[frame] += left[frame] * voice.gain
                scratch.trackRight[frame] += right[frame] * voice.gain
            }
        }
        mixChannel(metronomeChannel, block, ballistics, offset: offset, count: count)
    }

    @_noLocks private mutating func trimClicks() {
        while metronome.voiceEnd > 0, metronome.voices[metronome.voiceEnd - 1].end <= now { metronome.voiceEnd -= 1 }
    }

    /// Goes on with the clicks that sound at another sample rate.
    @_noLocks mutating func changeClickRate(to rate: SampleRate) {
        let voices = metronome.voices
        for index in 0..<metronome.voiceEnd { voices[index].changeSampleRate(to: rate, at: now) }
        metronome.taps.reset()
    }

    @_noLocks func isInUse(clicks address: UnsafeRawPointer) -> Bool {
        for index in 0..<metronome.voiceEnd
        where metronome.voices[index].end > now && UnsafeRawPointer(metronome.voices[index].content) == address {
            return true
        }
        return false
    }
}

import BarlineDSP
import BarlineTime

extension Renderer {
    /// Renders `count` frames, over which nothing is due, into the block at `offset`.
    @_noLocks mutating func mix(_ block: AudioBlock, offset: Int, count: Int) {
        if block.isUnheard {
            if multitrack.current >= 0 { supervise(count: count) }
            return
        }
        for channel in 0..<2 * busCount { clear(scratch.buses + channel * 256, count) }
        let ballistics = MeterBallistics(frames: count, sampleRate: sampleRate)
        let segment = tempo.segment(at: now)
        let isRamping = isRolling && segment.constantFrom > now
        if isRamping {
            for index in 0..<count { scratch.beats[index] = segment.beat(at: now + Int64(index)).rawValue }
        }
        listVoicesOfTracks()
        for track in 0..<trackCount {
            if tracks[track].firstVoice >= 0 {
                clear(scratch.trackLeft, count)
                clear(scratch.trackRight, count)
                var index = tracks[track].firstVoice
                while index >= 0 {
                    render(voice: index, segment: segment, isRamping: isRamping, count: count)
                    index = voices[index].nextOfTrack
                }
                mixChannel(track, block, ballistics, offset: offset, count: count)
                continue
            }
            rest(channel: track, block, ballistics, offset: offset, count: count)
        }
        mixMetronome(block, ballistics, offset: offset, count: count)
        if hasPlaylist { mixPlaylist(block, ballistics, offset: offset, count: count) }
        mixStems(block, ballistics, segment: segment, isRamping: isRamping, offset: offset, count: count)
        for bus in 0..<busCount { mixBus(bus, block, ballistics, offset: offset, count: count) }
    }

    /// Links the voices of each track, in the order of the pool, in which they are always summed.
    @_noLocks private func listVoicesOfTracks() {
        for track in 0..<trackCount { tracks[track].firstVoice = -1 }
        var index = voiceEnd - 1
        while index >= 0 {
            if !voices[index].isFree {
                let track = voices[index].content.pointee.track
                voices[index].nextOfTrack = tracks[track].firstVoice
                tracks[track].firstVoice = index
            }
            index -= 1
        }
    }

    @_noLocks func clear(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        for index in 0..<count { samples[index] = 0 }
    }

    /// Adds a voice to its track.
    @_noLocks private mutating func render(voice index: Int, segment: TempoSegment, isRamping: Bool, count: Int) {
        let voice = voices[index]
        let left = scratch.voiceLeft
        let right = scratch.voiceRight
        if isRamping, voice.content.pointee.isSynced, !voice.isDetached {
            readRamping(voice, segment: segment, count: count)
        } else {
            reader.read(
                voice.region, from: voice.position(at: now), step: voice.step,
                filter: reader.filter(rate: voice.rate), count: count, left: left, right: right)
        }
        let trackLeft = scratch.trackLeft
        let trackRight = scratch.trackRight
        if voice.envelope.isSettled(at: now), voice.gain.isSettled(at: now) {
            let gain = voice.envelope.target * voice.gain.target
            for frame in 0..<count {
                trackLeft[frame] += left[frame] * gain
                trackRight[frame] += right[frame] * gain
            }
        } else {
            for frame in 0..<count {
                let time = now + Int64(frame)
                let gain = voice.envelope.value(at: time) * voice.gain.value(at: time)
                trackLeft[frame] += left[frame] * gain
                trackRight[frame] += right[frame] * gain
            }
        }
    }

    /// Reads a voice while the tempo moves: every frame has a position and a rate of its own.
    @_noLocks private mutating func readRamping(_ voice: ClipVoice, segment: TempoSegment, count: Int) {
        let content = voice.content.pointee
        let region = voice.region
        let origin = voice.originBeat.rawValue
        for frame in 0..<count {
            let beat = scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = content.rate(at: Tempo(clamping: bpm), sampleRate: sampleRate)
            let position = SourcePosition((beat - origin) * content.framesPerBeat)
            let sample = reader.frame(of: region, at: position, filter: reader.filter(rate: rate))
            scratch.voiceLeft[frame] = sample.left
            scratch.voiceRight[frame] = sample.right
        }
    }

    /// Puts what is in the track buffers through a channel's strip and adds it to the channel's bus.
    @_noLocks mutating func mixChannel(
        _ channel: Int, _ block: AudioBlock, _ ballistics: MeterBallistics, offset: Int, count: Int
    ) {
        let left = scratch.trackLeft
        let right = scratch.trackRight
        apply(channels[channel].levelLeft, to: left, count)
        apply(channels[channel].levelRight, to: right, count)
        channels[channel].meter.update(left: left, right: right, ballistics)
        let bus = channels[channel].bus
        let fade = channels[channel].busFade
        if fade.isSettled(at: now) {
            add(left, right, toBus: bus, count)
        } else {
            add(left, right, toBus: bus, count, fade: fade, isLeaving: false)
            add(left, right, toBus: channels[channel].previousBus, count, fade: fade, isLeaving: true)
        }
        guard let separate = block.channelOutputs else { return }
        apply(buses[bus].level, to: left, count)
        apply(buses[bus].level, to: right, count)
        copy(left, to: separate[2 * channel], offset, count)
        copy(right, to: separate[2 * channel + 1], offset, count)
    }

    /// Lets the meter of a silent channel fall.
    @_noLocks mutating func rest(
        channel: Int, _ block: AudioBlock, _ ballistics: MeterBallistics, offset: Int, count: Int
    ) {
        if let separate = block.channelOutputs {
            if let left = separate[2 * channel] { clear(left + offset, count) }
            if let right = separate[2 * channel + 1] { clear(right + offset, count) }
        }
        if channels[channel].meter.isAtRest { return }
        clear(scratch.trackLeft, count)
        channels[channel].meter.update(left: scratch.trackLeft, right: scratch.trackLeft, ballistics)
    }

    @_noLocks private func add(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, toBus bus: Int, _ count: Int
    ) {
        let busLeft = scratch.buses + 2 * bus * 256
        let busRight = busLeft + 256
        for frame in 0..<count {
            busLeft[frame] += left[frame]
            busRight[frame] += right[frame]
        }
    }

    @_noLocks private func add(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, toBus bus: Int, _ count: Int,
        fade: Ramp, isLeaving: Bool
    ) {
        let busLeft = scratch.buses + 2 * bus * 256
        let busRight = busLeft + 256
        for frame in 0..<count {
            let entering = fade.value(at: now + Int64(frame))
            let share = isLeaving ? 1 - entering : entering
            busLeft[frame] += left[frame] * share
            busRight[frame] += right[frame] * share
        }
    }

    @_noLocks private mutating func mixBus(
        _ bus: Int, _ block: AudioBlock, _ ballistics: MeterBallistics, offset: Int, count: Int
    ) {
        let left = scratch.buses + 2 * bus * 256
        let right = left + 256
        apply(buses[bus].level, to: left, count)
        apply(buses[bus].level, to: right, count)
        apply(presence, to: left, count)
        apply(presence, to: right, count)
        buses[bus].meter.update(left: left, right: right, ballistics)
        if bus == 0, let tap = link.tap { tap.write(left: left, right: right, frames: count) }
        if limiterCount > 0 { limiters[bus].process(left: left, right: right, frames: count) }
        if 2 * bus < block.outputCount { copy(left, to: block.outputs[2 * bus], offset, count) }
        if 2 * bus + 1 < block.outputCount { copy(right, to: block.outputs[2 * bus + 1], offset, count) }
    }

    @_noLocks private func apply(_ ramp: Ramp, to samples: UnsafeMutablePointer<Float>, _ count: Int) {
        if ramp.isSettled(at: now) {
            let level = ramp.target
            if level == 1 { return }
            for frame in 0..<count { samples[frame] *= level }
        } else {
            for frame in 0..<count { samples[frame] *= ramp.value(at: now + Int64(frame)) }
        }
    }

    @_noLocks private func copy(
        _ samples: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>?, _ offset: Int, _ count: Int
    ) {
        guard let output else { return }
        for frame in 0..<count { output[offset + frame] = samples[frame] }
    }
}

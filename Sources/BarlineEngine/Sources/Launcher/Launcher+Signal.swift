import BarlineDSP
import BarlineTime

extension Renderer {
    /// Renders `count` frames, over which nothing is due, into the block at `offset`.
    @_noLocks mutating func mix(_ block: AudioBlock, offset: Int, count: Int) {
        if block.isUnheard {
            if multitrack.current >= 0 { supervise(count: count) }
            return
        }
        let slice = BlockSlice(
            of: block, offset: offset, count: count, start: timeline.now, sampleRate: timeline.sampleRate)
        mixer.begin(slice)
        let segment = timeline.tempo.segment(at: timeline.now)
        let isRamping = timeline.isRolling && segment.constantFrom > timeline.now
        if isRamping {
            for index in 0..<count { scratch.beats[index] = segment.beat(at: timeline.now + Int64(index)).rawValue }
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
                mixer.mix(channel: track, scratch.signal, slice)
                continue
            }
            mixer.rest(channel: track, scratch.signal, slice)
        }
        mixMetronome(slice)
        if hasPlaylist { mixPlaylist(slice) }
        mixStems(slice, segment: segment, isRamping: isRamping)
        mixer.finish(slice)
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
                voice.region, from: voice.position(at: timeline.now), step: voice.step,
                filter: reader.filter(rate: voice.rate), count: count, left: left, right: right)
        }
        let trackLeft = scratch.trackLeft
        let trackRight = scratch.trackRight
        if voice.envelope.isSettled(at: timeline.now), voice.gain.isSettled(at: timeline.now) {
            let gain = voice.envelope.target * voice.gain.target
            for frame in 0..<count {
                trackLeft[frame] += left[frame] * gain
                trackRight[frame] += right[frame] * gain
            }
        } else {
            for frame in 0..<count {
                let time = timeline.now + Int64(frame)
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
            let rate = content.rate(at: Tempo(clamping: bpm), sampleRate: timeline.sampleRate)
            let position = SourcePosition((beat - origin) * content.framesPerBeat)
            let sample = reader.frame(of: region, at: position, filter: reader.filter(rate: rate))
            scratch.voiceLeft[frame] = sample.left
            scratch.voiceRight[frame] = sample.right
        }
    }
}

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
        for track in 0..<trackCount {
            let isMonitored = isMonitored(track, at: context.now)
            if tracks[track].firstVoice >= 0 || isMonitored {
                if tracks[track].firstVoice < 0 { context.scratch.signal.clear(count) }
                var index = tracks[track].firstVoice
                var isFirst = true
                while index >= 0 {
                    read(voice: index, segment: segment, isRamping: isRamping, count: count, &context)
                    add(voices[index], isFirst: isFirst, count: count, &context)
                    isFirst = false
                    index = voices[index].nextOfTrack
                }
                if isMonitored { addMonitor(of: track, count: count, &context) }
                context.mixer.mix(channel: track, context.scratch.signal, slice)
                continue
            }
            context.mixer.rest(channel: track, context.scratch.signal, slice)
        }
    }

    /// Links the voices of each track in the order of the pool, so that they are always summed in the same order.
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

    /// Reads a voice at its current position.
    @_noLocks private mutating func read(
        voice index: Int, segment: TempoSegment, isRamping: Bool, count: Int, _ context: inout RenderContext
    ) {
        let voice = voices[index]
        if voice.content.pointee.stretch.isOn {
            readStretched(voice: index, segment: segment, isRamping: isRamping, count: count, &context)
        } else if isRamping, voice.content.pointee.isSynced, !voice.isDetached {
            readRamping(voice, segment: segment, count: count, &context)
        } else {
            context.reader.read(
                voice.region, from: voice.position(at: context.now), step: voice.step,
                filter: context.reader.steadyFilter(rate: voice.rate), count: count, left: context.scratch.voiceLeft,
                right: context.scratch.voiceRight)
        }
    }

    /// Mixes a voice into its track, or, if it is the first, replaces the track's signal.
    @_noLocks private func add(_ voice: ClipVoice, isFirst: Bool, count: Int, _ context: inout RenderContext) {
        let signal = context.scratch.signal
        if voice.envelope.isSettled(at: context.now), voice.gain.isSettled(at: context.now) {
            let gain = voice.envelope.target * voice.gain.target
            if isFirst {
                signal.set(context.scratch.source, gain: gain, count)
            } else {
                signal.add(context.scratch.source, gain: gain, count)
            }
        } else {
            if isFirst { signal.clear(count) }
            signal.add(context.scratch.source, gains: voice.envelope, voice.gain, at: context.now, count)
        }
    }

    /// Reads a voice during a tempo ramp: every frame has its own position and rate.
    @_noLocks private mutating func readRamping(
        _ voice: ClipVoice, segment: TempoSegment, count: Int, _ context: inout RenderContext
    ) {
        let content = voice.content.pointee
        let region = voice.region
        let origin = voice.originBeat.rawValue
        for frame in 0..<count {
            let beat = context.scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = content.rate(at: Tempo(clamping: bpm), beat: beat - origin, sampleRate: context.sampleRate)
            let position = SourcePosition(content.position(atBeat: beat - origin))
            let sample = context.reader.frame(of: region, at: position, filter: context.reader.filter(rate: rate))
            context.scratch.voiceLeft[frame] = sample.left
            context.scratch.voiceRight[frame] = sample.right
        }
    }
}

import BarlineDSP
import BarlineTime

extension Renderer {
    /// Performs a command that was for `frame`, which is `now` or, for a late one, before.
    @_noLocks mutating func perform(_ action: Action, at frame: FrameTime) {
        switch action {
        case .launch(let clip): press(clip: clip, at: frame)
        case .release(let clip): release(clip: clip, at: frame)
        case .stop(let track): queueStop(track: track, at: frame)
        case .stopNow(let track): stopNow(track: track)
        case .stopAll: for track in 0..<trackCount { queueStop(track: track, at: frame) }
        case .stopAllNow: for track in 0..<trackCount { stopNow(track: track) }
        case .startTransport:
            multitrack.leadsTransport = false
            if !timeline.isRolling { give(timeline.start(lead: 0, at: frame)) }
        case .stopTransport: stopTransport()
        case .tempo(let target, let rampBeats): give(timeline.changeTempo(to: target, rampBeats: rampBeats))
        case .launchTempo(let target): queueTempo(target, at: frame)
        case .timeSignature(let timeSignature): give(timeline.changeMetre(to: timeSignature))
        case .quantization(let value): quantization = value
        case .snapTolerance(let value): timeline.snapTolerance = value
        case .firstLaunch(let value): firstLaunch = value
        case .relocate(let position): timeline.song.relocate(at: timeline.currentBeat, to: position)
        case .songLoop(let start, let length):
            timeline.song.loop(at: timeline.currentBeat, start: start, length: length)
        case .install(let clip, let content): install(clip: clip, content: content)
        case .remove(let clip): remove(clip: clip)
        case .installStems, .stemsHold, .stemsPlay, .stemsPause, .stemsLoop, .stemsGain, .stemsGrid:
            performStems(action, at: frame)
        case .playlistStart, .playlistSwitch, .playlistPlay, .playlistPause, .playlistStop:
            performPlaylist(action, at: frame)
        case .metronome, .accentPattern, .subdivision, .swing, .countIn, .clicks, .tap: performMetronome(action)
        case .clipGain(let clip, let gain): changeGain(ofClip: clip, to: gain)
        case .channelGain, .channelPan, .channelMute, .channelSolo, .channelBus, .busGain, .limiter, .resetOvers:
            mixer.perform(action, at: timeline.now, fadeFrames: timeline.fadeFrames)
        }
    }

    @_noLocks private func changeGain(ofClip clip: Int, to gain: Float) {
        for index in 0..<voiceEnd where voices[index].clip == clip {
            if !voices[index].isPlaying, !voices[index].isLeading { continue }
            voices[index].gain = voices[index].gain.redirected(to: gain, at: timeline.now, frames: timeline.fadeFrames)
        }
    }

    /// Puts `content` in the place of a clip. Where the clip plays, it goes on with the new content at the position
    /// that it has there, across a short crossfade.
    @_noLocks private mutating func install(clip: Int, content: UnsafePointer<ClipContent>) {
        let old = clips[clip]
        clips[clip] = content
        guard let old else { return }
        if old.pointee.track != content.pointee.track {
            if tracks[old.pointee.track].queue.isLaunch(of: clip) { tracks[old.pointee.track].queue.clear() }
            if tracks[old.pointee.track].heldClip == clip { tracks[old.pointee.track].heldClip = -1 }
        }
        for track in 0..<trackCount where tracks[track].voice >= 0 {
            let index = tracks[track].voice
            if voices[index].clip == clip, voices[index].content == old { replaceContent(ofVoice: index, on: track) }
        }
        leave(UnsafeRawPointer(old))
    }

    @_noLocks private mutating func remove(clip: Int) {
        guard let old = clips[clip] else { return }
        for track in 0..<trackCount {
            if tracks[track].queue.isLaunch(of: clip) { tracks[track].queue.clear() }
            if tracks[track].heldClip == clip { tracks[track].heldClip = -1 }
            guard tracks[track].voice >= 0, voices[tracks[track].voice].clip == clip else { continue }
            if case .stop = tracks[track].queue.request { tracks[track].queue.clear() }
            stopVoice(of: track)
        }
        clips[clip] = nil
        leave(UnsafeRawPointer(old))
    }

    // MARK: Leaving content

    @_noLocks mutating func leave(_ content: UnsafeRawPointer) {
        if leavingCount < leavingCapacity {
            leaving[leavingCount] = content
            leavingCount += 1
        }
    }

    /// Hands content that no voice reads any more back to the control side.
    @_noLocks mutating func releaseLeaving() {
        var kept = 0
        for index in 0..<leavingCount {
            let content = leaving[index]
            if isInUse(content) || !link.retired.push(UInt(bitPattern: content)) {
                leaving[kept] = content
                kept += 1
            }
        }
        leavingCount = kept
    }

    @_noLocks private func isInUse(_ content: UnsafeRawPointer) -> Bool {
        for index in 0..<voiceEnd where !voices[index].isFree && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return isInUse(clicks: content)
    }
}

import BarlineTime

/// What a change of the timeline does to clips.
extension Renderer {
    @_noLocks mutating func retimeVoices(_ retiming: Retiming) {
        switch retiming.change {
        case .started: detachVoices()
        case .stopped:
            for track in 0..<trackCount { stopNow(track: track) }
            detachVoices()
        case .settled: anchorVoices(on: timeline.tempo, rolledFrom: timeline.rollFrame)
        case .tempo, .metre: if timeline.isRolling { resolveLaunches() }
        case .sampleRate:
            changeRate(ofVoicesFrom: retiming.from.sampleRate, to: retiming.to.sampleRate)
            resolveLaunches()
        case .clock:
            detachVoices()
            for track in 0..<trackCount { shiftVoice(of: track, by: retiming.shift) }
            resolveLaunches()
        }
    }

    /// Finds every frame anew that follows from a beat.
    @_noLocks private mutating func resolveLaunches() {
        for index in 0..<trackCount {
            tracks[index].queue.resolve(tempo: timeline.tempo, metre: timeline.metre, earliest: timeline.now)
        }
        anchorVoices(on: timeline.tempo, rolledFrom: timeline.rollFrame)
    }

    /// Restates every voice's position for the stretch of constant tempo that begins now.
    @_noLocks private func anchorVoices(on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime) {
        for index in 0..<voiceEnd where !voices[index].isFree && !voices[index].isDetached {
            anchor(voice: index, on: tempo, rolledFrom: rollFrame)
            if !voices[index].isLeading { findEdges(ofVoice: index, on: tempo) }
        }
    }

    /// The timeline that the voices began on is over: from here on they go as they did on it.
    @_noLocks private func detachVoices() {
        anchorVoices(on: timeline.former, rolledFrom: timeline.formerRollFrame)
        for index in 0..<voiceEnd { voices[index].isDetached = true }
    }

    @_noLocks private func changeRate(ofVoicesFrom old: SampleRate, to rate: SampleRate) {
        let now = Double(timeline.now.rawValue)
        for index in 0..<voiceEnd where !voices[index].isFree {
            let sinceLaunch = (now - voices[index].launchFrame) / old.hertz
            voices[index].launchFrame = now - sinceLaunch * rate.hertz
            if voices[index].content.pointee.isSynced { continue }
            let position = voices[index].position(at: timeline.now).frames
            let seconds = position / voices[index].content.pointee.sourceRate
            voices[index].originFrame = now - seconds * rate.hertz
        }
    }
}

import BarlineTime

/// Applying timeline changes to clips.
extension Launcher {
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        forgetDue()
        switch retiming.change {
        case .started:
            settleFormer(context.timeline)
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            detachVoices(context.timeline)
        case .stopped:
            settleFormer(context.timeline)
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            for track in 0..<trackCount { stopNow(track: track, &context) }
            detachVoices(context.timeline)
        case .settled:
            anchorVoices(context.timeline)
        case .tempo, .metre:
            keepTurns(&context)
            retimeChanges(isOver: !context.timeline.isRolling, context.timeline)
            if context.timeline.isRolling { retimings += 1 }
        case .sampleRate:
            breakTakes(&context)
            changeRate(ofVoicesFrom: retiming.from.sampleRate, to: retiming.to.sampleRate, context.timeline)
            for index in 0..<voiceEnd { beginStretch(ofVoice: index) }
            resolveLaunches(context.timeline)
            anchorVoices(context.timeline)
        case .clock:
            breakLayers(&context)
            retimeChanges(isOver: true, context.timeline)
            recorder.shift(by: retiming.shift, context.capture, now: context.now)
            detachVoices(context.timeline)
            for track in 0..<trackCount { shiftVoice(of: track, by: retiming.shift, &context) }
            resolveLaunches(context.timeline)
            anchorVoices(context.timeline)
        }
    }

    /// Recomputes the frames of all boundaries.
    @_noLocks private mutating func resolveLaunches(_ timeline: borrowing Timeline) {
        resolveLaunches(on: timeline.tempo, timeline)
    }

    @_noLocks private mutating func resolveLaunches(on tempo: borrowing TempoMap, _ timeline: borrowing Timeline) {
        for index in 0..<trackCount {
            tracks[index].launch.resolve(tempo: tempo, metre: timeline.metre, earliest: timeline.now)
            tracks[index].overdub.queue.resolve(tempo: tempo, metre: timeline.metre, earliest: timeline.now)
        }
        settledLaunches = retimings
    }

    /// Recomputes the frames of all boundaries after changes of tempo and metre, once for all of them. O(tracks) if there
    /// was one.
    @_noLocks mutating func settleLaunches(_ timeline: borrowing Timeline) {
        if settledLaunches != retimings { resolveLaunches(timeline) }
    }

    /// Restates the voices after changes of tempo and metre: once a frame for all changes, before anything else reads
    /// them. A command that reads a voice earlier restates that one (``settle(voice:_:)``). O(voices) if there was a change.
    @_noLocks mutating func settleVoices(_ timeline: borrowing Timeline) {
        if settledVoices != retimings { anchorVoices(timeline) }
    }

    /// Applies pending changes of the timeline that has just ended.
    @_noLocks private mutating func settleFormer(_ timeline: borrowing Timeline) {
        if settledLaunches != retimings { resolveLaunches(on: timeline.former, timeline) }
        if settledVoices == retimings { return }
        anchorVoices(on: timeline.former, rolledFrom: timeline.formerRollFrame, timeline)
    }

    /// Restates a voice whose position or end a command is about to read.
    @_noLocks mutating func settle(voice index: Int, _ timeline: borrowing Timeline) {
        if voices[index].retiming == retimings || voices[index].isFree || voices[index].isDetached { return }
        restate(voice: index, on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    /// Restates every voice's position for the segment of constant tempo that begins now.
    @_noLocks private mutating func anchorVoices(_ timeline: borrowing Timeline) {
        anchorVoices(on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    @_noLocks private mutating func anchorVoices(
        on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        for index in 0..<voiceEnd where !voices[index].isFree && !voices[index].isDetached {
            restate(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
        }
        settledVoices = retimings
    }

    @_noLocks private mutating func restate(
        voice index: Int, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        anchor(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
        if !voices[index].isLeading { findEdges(ofVoice: index, on: tempo, timeline) }
        restatements += 1
    }

    /// Detaches voices from a timeline that has ended: from here on they continue as they did on it.
    @_noLocks private mutating func detachVoices(_ timeline: borrowing Timeline) {
        anchorVoices(on: timeline.former, rolledFrom: timeline.formerRollFrame, timeline)
        for index in 0..<voiceEnd { voices[index].isDetached = true }
    }

    @_noLocks private func changeRate(ofVoicesFrom old: SampleRate, to rate: SampleRate, _ timeline: borrowing Timeline)
    {
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

import BarlineTime

/// Applying timeline changes to clips.
extension Launcher {
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        forgetDue()
        switch retiming.change {
        case .started:
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            detachVoices(context.timeline)
        case .stopped:
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            for track in 0..<trackCount { stopNow(track: track, &context) }
            detachVoices(context.timeline)
        case .settled:
            anchorVoices(on: context.timeline.tempo, rolledFrom: context.timeline.rollFrame, context.timeline)
        case .tempo, .metre:
            keepTurns(&context)
            retimeChanges(isOver: !context.timeline.isRolling, context.timeline)
            if context.timeline.isRolling { resolveLaunches(context.timeline) }
        case .sampleRate:
            breakTakes(&context)
            changeRate(ofVoicesFrom: retiming.from.sampleRate, to: retiming.to.sampleRate, context.timeline)
            for index in 0..<voiceEnd { beginStretch(ofVoice: index) }
            resolveLaunches(context.timeline)
        case .clock:
            breakLayers(&context)
            retimeChanges(isOver: true, context.timeline)
            shiftTakes(by: retiming.shift, context.capture, now: context.now)
            detachVoices(context.timeline)
            for track in 0..<trackCount { shiftVoice(of: track, by: retiming.shift, &context) }
            resolveLaunches(context.timeline)
        }
    }

    /// Recomputes every frame that follows from a beat.
    @_noLocks private mutating func resolveLaunches(_ timeline: borrowing Timeline) {
        for index in 0..<trackCount {
            tracks[index].queue.resolve(tempo: timeline.tempo, metre: timeline.metre, earliest: timeline.now)
            tracks[index].overdub.queue.resolve(
                tempo: timeline.tempo, metre: timeline.metre, earliest: timeline.now)
        }
        anchorVoices(on: timeline.tempo, rolledFrom: timeline.rollFrame, timeline)
    }

    /// Restates every voice's position for the segment of constant tempo that begins now.
    @_noLocks private func anchorVoices(
        on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime, _ timeline: borrowing Timeline
    ) {
        for index in 0..<voiceEnd where !voices[index].isFree && !voices[index].isDetached {
            anchor(voice: index, on: tempo, rolledFrom: rollFrame, timeline)
            if !voices[index].isLeading { findEdges(ofVoice: index, on: tempo, timeline) }
        }
    }

    /// Detaches voices from a timeline that has ended: from here on they continue as they did on it.
    @_noLocks private func detachVoices(_ timeline: borrowing Timeline) {
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

import BarlineTime

/// Applying timeline changes to clips.
extension Launcher {
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        forgetDue()
        switch retiming.change {
        case .started:
            applyPendingToFormer(context.timeline)
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            pool.detach(context.timeline)
        case .stopped:
            applyPendingToFormer(context.timeline)
            endTakes(at: context.timeline.former.beat(at: context.now), &context)
            retimeChanges(isOver: true, context.timeline)
            for track in 0..<trackCount { stopNow(track: track, &context) }
            pool.detach(context.timeline)
        case .rampEnded:
            pool.reanchor(context.timeline)
        case .tempo, .metre:
            keepCycles(&context)
            retimeChanges(isOver: !context.timeline.isRolling, context.timeline)
            if context.timeline.isRolling { pool.noteRetiming() }
        case .sampleRate:
            breakTakes(&context)
            retimeChanges(isOver: !context.timeline.isRolling, context.timeline)
            pool.changeRate(from: retiming.from.sampleRate, to: retiming.to.sampleRate, context.timeline)
            resolveLaunches(context.timeline)
            pool.reanchor(context.timeline)
        case .clock:
            breakLayers(&context)
            retimeChanges(isOver: true, context.timeline)
            recorder.shift(by: retiming.shift, context.capture, now: context.now)
            pool.detach(context.timeline)
            for track in 0..<trackCount { shiftVoice(of: track, by: retiming.shift, &context) }
            resolveLaunches(context.timeline)
            pool.reanchor(context.timeline)
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
        resolvedRetimings = pool.retimings
    }

    /// Recomputes the frames of all boundaries after changes of tempo and metre, once for all of them. O(tracks) if
    /// there was one.
    @_noLocks mutating func resolveStaleLaunches(_ timeline: borrowing Timeline) {
        if resolvedRetimings != pool.retimings { resolveLaunches(timeline) }
    }

    /// Applies pending changes of the timeline that has just ended.
    @_noLocks private mutating func applyPendingToFormer(_ timeline: borrowing Timeline) {
        if resolvedRetimings != pool.retimings { resolveLaunches(on: timeline.former, timeline) }
        pool.reanchorOnFormer(timeline)
    }
}

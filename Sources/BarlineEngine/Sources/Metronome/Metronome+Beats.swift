import BarlineDSP
import BarlineTime

extension Metronome {
    /// Applies a timeline change to the planned beats.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        switch retiming.change {
        case .started:
            playedBeat = Metronome.beforeAll
            planBeats(context.timeline)
        case .stopped:
            plan.reset()
            isPlanStale = false
        case .rampEnded: break
        case .tempo, .metre, .clock: if context.timeline.isRolling { isPlanStale = true }
        case .sampleRate:
            changeClickRate(to: retiming.to.sampleRate, context.timeline)
            planBeats(context.timeline)
        }
    }

    /// Replans the next sixteen beats from `now` on, once a frame however much has changed on it (``isPlanStale``).
    /// Past beats are not planned again.
    @_noLocks mutating func planBeats(_ timeline: borrowing Timeline) {
        isPlanStale = false
        plan.removeAll()
        if !timeline.isRolling { return }
        let position = timeline.metre.position(at: timeline.currentBeat)
        var click = resolved(PlannedClick(bar: position.bar, pulse: position.pulse, subdivision: 0), timeline)
        while click.frame < timeline.now || click.beat <= playedBeat + Beat.tolerance {
            click = successor(of: click, timeline)
        }
        plan.append(click)
        fillPlan(timeline)
    }

    @_noLocks private mutating func fillPlan(_ timeline: borrowing Timeline) {
        while !plan.isFull { plan.append(successor(of: plan.last, timeline)) }
    }

    @_noLocks private func successor(of click: PlannedClick, _ timeline: borrowing Timeline) -> PlannedClick {
        if click.subdivision + 1 < settings.subdivision {
            return resolved(
                PlannedClick(bar: click.bar, pulse: click.pulse, subdivision: click.subdivision + 1), timeline)
        }
        let line = timeline.metre.beat(ofBar: click.bar)
        let isLast = click.pulse + 1 >= timeline.metre.timeSignature(at: line + Beat.tolerance).numerator
        return resolved(
            PlannedClick(
                bar: isLast ? click.bar + 1 : click.bar, pulse: isLast ? 0 : click.pulse + 1, subdivision: 0), timeline)
    }

    @_noLocks private func resolved(_ click: PlannedClick, _ timeline: borrowing Timeline) -> PlannedClick {
        var click = click
        click.beat = timeline.metre.beat(ofBar: click.bar, pulse: click.pulse)
        if click.subdivision > 0 {
            let pulse = timeline.metre.timeSignature(at: timeline.metre.beat(ofBar: click.bar) + Beat.tolerance)
                .quartersPerPulse
            click.beat = click.beat + settings.place(ofSubdivision: click.subdivision) * pulse
        }
        click.frame = timeline.tempo.frame(of: click.beat)
        click.kind = settings.pattern.pulse(click.pulse)
        return click
    }

    /// Plays the next planned click.
    @_noLocks private mutating func playClick(_ context: inout RenderContext) {
        let click = plan.removeNext()
        playedBeat = click.beat
        if click.isPulse {
            context.emit(.metronome(.pulse(bar: click.bar + 1, pulse: click.pulse + 1, isAccented: click.isAccented)))
        }
        if settings.isEnabled || context.timeline.countIn.contains(click.beat) { startClick(click, context.timeline) }
        // Subdivided pulses can exhaust the planned clicks before the planned beats.
        fillPlan(context.timeline)
    }

    /// Plays the clicks of this frame. Skipped beats are not made up for.
    @_noLocks mutating func playClicks(_ context: inout RenderContext) {
        if context.timeline.isRolling, plan.nextFrame < context.now { planBeats(context.timeline) }
        while context.timeline.isRolling, plan.nextFrame <= context.now { playClick(&context) }
    }

    @_noLocks private mutating func startClick(_ click: PlannedClick, _ timeline: borrowing Timeline) {
        if case .silent = click.kind { return }
        var index = 0
        while index < voiceEnd, voices[index].end > timeline.now { index += 1 }
        // No click in progress is cut off: if the pool is exhausted, the new click is dropped.
        if index == ClickVoice.poolCount { return }
        if index == voiceEnd { voiceEnd += 1 }
        voices[index] = ClickVoice(
            content, isAccent: click.isPulse && click.isAccented, gain: click.isPulse ? 1 : 0.5,
            at: timeline.now,
            sampleRate: timeline.sampleRate)
    }

    // MARK: Commands

    @_noLocks mutating func perform(_ action: Metronome.Action, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .enable(let isOn):
            settings.isEnabled = isOn
            return
        case .clicks(let content):
            context.retire(UnsafeRawPointer(self.content))
            self.content = content
            return
        case .tap:
            if let tapped = taps.tap(at: context.now, sampleRate: context.sampleRate) {
                propagate(context.timeline.changeTempo(to: tapped, rampBeats: 0), &context)
            }
            return
        case .pattern(let pattern): settings.pattern = pattern
        case .subdivision(let count): settings.subdivision = count
        case .swing(let swing): settings.swing = swing
        }
        isPlanStale = true
    }
}

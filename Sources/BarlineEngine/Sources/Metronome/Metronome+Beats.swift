import BarlineDSP
import BarlineTime

extension Renderer {
    /// What a change of the timeline does to the beats that are planned.
    @_noLocks mutating func retimeBeats(_ retiming: Retiming) {
        switch retiming.change {
        case .started:
            metronome.playedBeat = Metronome.beforeAll
            planBeats()
        case .stopped: metronome.plan.reset()
        case .settled: break
        case .tempo, .metre, .clock: if timeline.isRolling { planBeats() }
        case .sampleRate:
            changeClickRate(to: retiming.to.sampleRate)
            planBeats()
        }
    }

    /// Plans the next sixteen beats from `now` on anew. What has been played is not planned again.
    @_noLocks mutating func planBeats() {
        metronome.plan.removeAll()
        if !timeline.isRolling { return }
        let position = timeline.metre.position(at: timeline.currentBeat)
        var click = resolved(PlannedClick(bar: position.bar, pulse: position.pulse, subdivision: 0))
        while click.frame < timeline.now || click.beat <= metronome.playedBeat + 1e-9 { click = successor(of: click) }
        metronome.plan.append(click)
        fillPlan()
    }

    @_noLocks private mutating func fillPlan() {
        while !metronome.plan.isFull { metronome.plan.append(successor(of: metronome.plan.last)) }
    }

    @_noLocks private func successor(of click: PlannedClick) -> PlannedClick {
        if click.subdivision + 1 < metronome.settings.subdivision {
            return resolved(PlannedClick(bar: click.bar, pulse: click.pulse, subdivision: click.subdivision + 1))
        }
        let line = timeline.metre.beat(ofBar: click.bar)
        let isLast = click.pulse + 1 >= timeline.metre.timeSignature(at: line + 1e-9).numerator
        return resolved(
            PlannedClick(
                bar: isLast ? click.bar + 1 : click.bar, pulse: isLast ? 0 : click.pulse + 1, subdivision: 0))
    }

    @_noLocks private func resolved(_ click: PlannedClick) -> PlannedClick {
        var click = click
        click.beat = timeline.metre.beat(ofBar: click.bar, pulse: click.pulse)
        if click.subdivision > 0 {
            let pulse = timeline.metre.timeSignature(at: timeline.metre.beat(ofBar: click.bar) + 1e-9).quartersPerPulse
            click.beat = click.beat + metronome.settings.place(ofSubdivision: click.subdivision) * pulse
        }
        click.frame = timeline.tempo.frame(of: click.beat)
        click.kind = metronome.settings.pattern.pulse(click.pulse)
        return click
    }

    /// Plays the next click of the plan.
    @_noLocks mutating func playClick() {
        let click = metronome.plan.removeNext()
        metronome.playedBeat = click.beat
        if click.isPulse {
            emit(.pulse(bar: click.bar + 1, pulse: click.pulse + 1, isAccented: click.isAccented))
        }
        if metronome.settings.isEnabled || timeline.countIn.contains(click.beat) { startClick(click) }
        // Dividing pulses empties the plan of clicks, not of beats.
        fillPlan()
    }

    @_noLocks private mutating func startClick(_ click: PlannedClick) {
        if case .silent = click.kind { return }
        var index = 0
        while index < metronome.voiceEnd, metronome.voices[index].end > timeline.now { index += 1 }
        // Nothing that sounds is cut: where the pool is used up, the new click is left out.
        if index == ClickVoice.poolCount { return }
        if index == metronome.voiceEnd { metronome.voiceEnd += 1 }
        metronome.voices[index] = ClickVoice(
            metronome.content, isAccent: click.isPulse && click.isAccented, gain: click.isPulse ? 1 : 0.5,
            at: timeline.now,
            sampleRate: timeline.sampleRate)
    }

    // MARK: Commands

    @_noLocks mutating func performMetronome(_ action: Action) {
        switch action {
        case .metronome(let isOn):
            metronome.settings.isEnabled = isOn
            return
        case .countIn(let bars):
            timeline.countInBars = bars
            return
        case .clicks(let content):
            leave(UnsafeRawPointer(metronome.content))
            metronome.content = content
            return
        case .tap:
            if let tapped = metronome.taps.tap(at: timeline.now, sampleRate: timeline.sampleRate) {
                give(timeline.changeTempo(to: tapped, rampBeats: 0))
            }
            return
        case .accentPattern(let pattern): metronome.settings.pattern = pattern
        case .subdivision(let count): metronome.settings.subdivision = count
        case .swing(let swing): metronome.settings.swing = swing
        default: return
        }
        planBeats()
    }

    // MARK: State

    /// Publishes the beats that were played and those that come.
    @_noLocks func publishBeats() {
        let board = link.board
        var word = StateLayout.beats
        let recent = metronome.plan.recentCount
        board.set(word, Int64(recent))
        board.set(word + 1, Int64(metronome.plan.pulseCount))
        word += 2
        for index in 0..<recent { word = publish(metronome.plan.recentPulse(index), at: word) }
        for index in 0..<metronome.plan.clickCount {
            let click = metronome.plan.click(index)
            if click.isPulse { word = publish(click, at: word) }
        }
    }

    @_noLocks private func publish(_ click: PlannedClick, at word: Int) -> Int {
        link.board.set(word, click.frame.rawValue)
        link.board.set(word + 1, click.bar)
        link.board.set(word + 2, Int64(click.pulse * 2 + (click.isAccented ? 1 : 0)))
        return word + 3
    }
}

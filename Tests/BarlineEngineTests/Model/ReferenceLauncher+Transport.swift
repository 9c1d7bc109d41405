/// The transport, tempo and metre of the reference.
extension ReferenceLauncher {
    func roll(from beat: Double, at frame: Int) {
        bars = ReferenceBars(bars.latest)
        runs.append(ReferenceTempo(frame: frame, beat: beat, tempo: tempo.tempo(at: now), rate: rate))
        isRolling = true
        rollFrame = frame
        rollBeat = beat
        pulse = (bars.bar(at: beat + 1e-9).index, 0)
        while bars.line(pulse.bar) + Double(pulse.index) * bars.metre(ofBar: pulse.bar).pulse < beat - 1e-9 {
            advancePulse()
        }
        while pulseFrame() < now { advancePulse() }
        record(-1, .rolled, value: beat)
    }

    func haltTransport() {
        if !isRolling { return }
        for lane in lanes.indices { cut(lane) }
        isRolling = false
        sceneTempo = nil
        record(-1, .halted)
        bars = ReferenceBars(bars.latest)
        runs.append(ReferenceTempo(frame: now, beat: 0, tempo: tempo.tempo(at: now), rate: rate))
        tempoChanges.append(now)
    }

    func changeTempo(_ target: Double, ramp: Double) {
        if isRolling {
            runs[runs.count - 1].change(at: now, to: target, ramp: ramp)
            record(-1, .tempo(target, ramp: ramp))
        } else {
            runs.append(ReferenceTempo(frame: now, beat: 0, tempo: target, rate: rate))
            record(-1, .tempo(target, ramp: 0))
        }
        tempoChanges.append(now)
    }

    func changeRate(to rate: Double) {
        self.rate = rate
        runs[runs.count - 1].changeRate(at: now, to: rate)
    }

    func changeMetre(_ metre: Metre) {
        guard isRolling else {
            bars = ReferenceBars(metre)
            record(-1, .metre(metre, line: 0))
            return
        }
        // The count-in keeps its metre; a line whose frame this is counts as met.
        var bar = 0
        let beat = tempo.beat(at: now)
        if beat > 0 {
            bar = bars.bar(at: beat).index
            if tempo.frame(of: bars.line(bar)) < now { bar += 1 }
        }
        bars.change(atBar: bar, to: metre)
        record(-1, .metre(metre, line: bars.line(bar)))
    }

    func advancePulse() {
        let isLast = pulse.index + 1 >= bars.metre(ofBar: pulse.bar).numerator
        pulse = isLast ? (pulse.bar + 1, 0) : (pulse.bar, pulse.index + 1)
    }

    func beatPulse() {
        record(-1, .pulse(bar: pulse.bar + 1, pulse: pulse.index + 1, isAccented: pulse.index == 0))
        advancePulse()
    }

    func record(_ lane: Int, _ kind: Happening.Kind, value: Double = 0) {
        happenings.append(Happening(now, lane: lane, kind, value: value))
    }
}

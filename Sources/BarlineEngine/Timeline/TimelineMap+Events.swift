import BarlineTime

/// Following the timeline by its events, for those who must not miss what happens between two looks at the state.
extension TimelineMap {
    /// The map after an event of the transport that happened at `frame`.
    ///
    /// A start that came late counts from the frame of its event; the next state has it from its own.
    package func after(_ event: TransportEvent, at frame: FrameTime) -> TimelineMap {
        let tempo = tempo.tempo(at: frame)
        let rate = self.tempo.sampleRate
        func map(_ segment: TempoSegment, isRolling: Bool) -> TimelineMap {
            TimelineMap(tempo: segment, metre: metre, laterMetre: laterMetre, isRolling: isRolling, now: frame)
        }
        func segment(from beat: Beat, to target: Tempo, over rampBeats: Double, at rate: SampleRate) -> TempoSegment {
            TempoSegment(
                startFrame: frame, startBeat: beat, tempo: tempo, endTempo: target, rampBeats: rampBeats,
                sampleRate: rate)
        }
        switch event {
        case .started(let beat): return map(segment(from: beat, to: tempo, over: 0, at: rate), isRolling: true)
        case .stopped:
            let stopped = map(segment(from: Beat(0), to: tempo, over: 0, at: rate), isRolling: false)
            return stopped.with(laterMetre.timeSignature, from: Beat(0))
        case .tempoChanged(let target, let beat, let rampBeats):
            return map(segment(from: beat, to: target, over: rampBeats, at: rate), isRolling: isRolling)
        case .timeSignatureChanged(let timeSignature, let line): return with(timeSignature, from: line)
        case .clockJumped(let frames):
            let former = self.tempo
            let shifted = TempoSegment(
                startFrame: former.startFrame + -frames, startBeat: former.startBeat, tempo: former.startTempo,
                endTempo: former.endTempo, rampBeats: former.rampBeats, sampleRate: rate)
            return map(isRolling ? shifted : former, isRolling: isRolling)
        case .sampleRateChanged(let rate):
            let beat = beat(at: frame)
            let left = max(0, self.tempo.rampBeats - (beat - self.tempo.startBeat))
            return map(segment(from: beat, to: self.tempo.endTempo, over: left, at: rate), isRolling: isRolling)
        }
    }

    /// The same map in another metre from a bar line on; while the transport is stopped, from the first.
    private func with(_ timeSignature: TimeSignature, from line: Beat) -> TimelineMap {
        let first = MetreSegment(startBar: 0, startBeat: Beat(0), timeSignature: timeSignature)
        guard isRolling else {
            return TimelineMap(tempo: tempo, metre: first, laterMetre: first, isRolling: false, now: now)
        }
        let before = line > laterMetre.startBeat ? laterMetre : metre
        let bars = ((line - before.startBeat) / before.timeSignature.quartersPerBar).rounded()
        let later = MetreSegment(
            startBar: before.startBar + FrameRounding.whole(bars), startBeat: line, timeSignature: timeSignature)
        return TimelineMap(tempo: tempo, metre: before, laterMetre: later, isRolling: true, now: now)
    }
}

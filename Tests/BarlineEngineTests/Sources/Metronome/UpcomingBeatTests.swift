import BarlineEngine
import BarlineTime
import Testing

/// The look-ahead that displays draw from.
@Suite("Upcoming beats")
struct UpcomingBeatTests {
    @Test("Sixteen beats are always planned, and each falls where it was said to")
    func sixteen() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 173.7)))
        #expect(engine.upcomingBeats.isEmpty)
        try engine.metronome.change(pattern: "Xx", subdivision: 3, at: FrameTime.zero)
        try engine.transport.start(at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 400_000)
        var promised: Set<UpcomingBeat> = []
        while recorder.frames < 300_000 {
            recorder.render(1_111)
            #expect(engine.upcomingBeats.count == 16)
            promised.formUnion(engine.upcomingBeats)
        }
        let played = recorder.events.compactMap { event -> UpcomingBeat? in
            guard case .metronome(.pulse(let bar, let pulse, let isAccented)) = event.kind, event.frame.rawValue > 1_111
            else {
                return nil
            }
            return UpcomingBeat(frame: event.frame, bar: Int(bar), pulse: pulse, isAccented: isAccented)
        }
        #expect(played.count > 15 && promised.isSuperset(of: played))
        #expect(engine.state.recentBeats.last == played.last)
    }

    @Test("A change of tempo or metre plans anew at once", arguments: [true, false])
    func replans(isTempo: Bool) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        try engine.transport.start(at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 48_000)
        recorder.render(30_000)
        if isTempo {
            try engine.transport.setTempo(Tempo(clamping: 60))
        } else {
            try engine.transport.setTimeSignature(try #require(TimeSignature(3, 8)))
        }
        recorder.render(1)
        let beats = engine.upcomingBeats
        // Beat 1.25 at frame 30 000; then three quarters of a beat of a second each.
        #expect(beats[0].frame.rawValue == (isTempo ? 66_000 : 48_000))
        #expect(beats[3].frame.rawValue == (isTempo ? 66_000 + 3 * 48_000 : 108_000))
        #expect(beats[3].bar == 2 && beats[3].pulse == 2)
    }

    @Test("The output's latency delays what is shown")
    func latency() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        try engine.transport.start(at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 60_000)
        recorder.render(50_000)
        let state = engine.state
        #expect(state.audibleBeat(outputLatency: 0)?.frame.rawValue == 48_000)
        #expect(state.audibleBeat(outputLatency: 0.1)?.frame.rawValue == 24_000)
        let toHear = state.beatsToHear(outputLatency: 0.1)
        #expect(toHear.first?.beat.frame.rawValue == 48_000)
        #expect(abs((toHear.first?.seconds ?? 0) - (0.1 - 2_000 / 48_000.0)) < 1e-9)
        #expect(toHear.count == 17)
    }
}

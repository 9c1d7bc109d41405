import BarlineDSP
import BarlineTestSupport
import Testing

@testable import BarlineAnalysis

/// Loops: a whole number of beats, so that the length gives the tempo exactly.
@Suite("Tempo of loops")
struct LoopTempoTests {
    /// A pattern of eighths a bar, and its tempo.
    struct Case: Sendable {
        let pattern: String
        let bpm: Double
        let bars: Int
        var swing = 0.0
        var beats: Double { Double(pattern.count * bars) / 2 }
    }

    static let cases = [
        Case(pattern: "bhnhbhnh", bpm: 93.7, bars: 2), Case(pattern: "bhnhbhnh", bpm: 120, bars: 1),
        Case(pattern: "bhnhbbnh", bpm: 127.31, bars: 4), Case(pattern: "bhnhbhnh", bpm: 101, bars: 3),
        Case(pattern: "bhnhhbnh", bpm: 110, bars: 4, swing: 0.3),
        Case(pattern: "k-s-k-s-", bpm: 118, bars: 2), Case(pattern: "bhbhbhbh", bpm: 128, bars: 4),
    ]

    @Test("A beat's length is the loop's divided by the beats, to 0.01 %", arguments: cases)
    func exact(_ loop: Case) throws {
        let machine = DrumMachine.loop(loop.pattern, bpm: loop.bpm, bars: loop.bars, swing: loop.swing)
        let estimate = TempoAnalysis.estimate(machine.buffer())
        let bpm = try #require(estimate.bpm)
        #expect(abs(bpm / loop.bpm - 1) < 1e-4, "\(bpm)")
        #expect(estimate.loopBeats == loop.beats)
        #expect(estimate.beats.count == Int(loop.beats))
        for (index, beat) in estimate.beats.enumerated() {
            #expect(abs(beat - Double(index) * 60 / loop.bpm) < 0.005)
        }
        #expect(estimate.confidence > 0.5 && estimate.confidence <= 1)
        #expect(estimate.source == .audio && estimate.absence == nil)
    }

    @Test("Four to the bar is heard as such, and three")
    func bars() {
        let four = TempoAnalysis.estimate(DrumMachine.loop("bhnhbhnh", bpm: 100, bars: 4).buffer())
        #expect(four.downbeats.first == 0)
        let three = TempoAnalysis.estimate(DrumMachine.loop("bhnhnh", bpm: 140, bars: 4).buffer())
        #expect(three.beatsPerBar == 3)
        #expect(three.downbeats.count == 4)
    }

    @Test("Silence after a loop does not change its tempo", arguments: [0.37, 0.9])
    func silence(seconds: Double) throws {
        var machine = DrumMachine(seconds: 8 * 60 / 105.0 + seconds)
        for bar in 0..<2 { machine.play("bhnhbhnh", from: Double(bar) * 4 * 60 / 105, step: 30 / 105.0) }
        let bpm = try #require(TempoAnalysis.estimate(machine.buffer()).bpm)
        #expect(abs(bpm / 105 - 1) < 0.002, "\(bpm)")
    }

    @Test("A lead-in does not change its tempo", arguments: [0.21, 0.44])
    func lead(seconds: Double) throws {
        var machine = DrumMachine(seconds: 16 * 60 / 112.0 + seconds)
        for bar in 0..<4 { machine.play("bhnhbhnh", from: seconds + Double(bar) * 4 * 60 / 112, step: 30 / 112.0) }
        let estimate = TempoAnalysis.estimate(machine.buffer())
        let bpm = try #require(estimate.bpm)
        #expect(abs(bpm / 112 - 1) < 0.002, "\(bpm)")
        let first = try #require(estimate.beats.first { $0 > seconds - 0.05 })
        #expect(abs(first - seconds) < 0.02, "\(first)")
    }

    @Test("Level, sample rate and channels change nothing")
    func invariance() throws {
        let plain = TempoAnalysis.estimate(DrumMachine.loop("bhnhbbnh", bpm: 96, bars: 2).buffer())
        let bpm = try #require(plain.bpm)
        var others = [
            TempoAnalysis.estimate(DrumMachine.loop("bhnhbbnh", bpm: 96, bars: 2).buffer(gain: 0.1)),
            TempoAnalysis.estimate(DrumMachine.loop("bhnhbbnh", bpm: 96, bars: 2).buffer(isStereo: true)),
        ]
        for rate in [22_050.0, 48_000, 96_000] {
            others.append(TempoAnalysis.estimate(DrumMachine.loop("bhnhbbnh", bpm: 96, bars: 2, rate: rate).buffer()))
        }
        for other in others {
            #expect(abs((other.bpm ?? 0) / bpm - 1) < 1e-4)
            #expect(other.loopBeats == plain.loopBeats)
        }
    }

    @Test("A name that agrees is reported, one that the sound contradicts is overruled")
    func hint() throws {
        let machine = DrumMachine.loop("bhnhbhnh", bpm: 124, bars: 2)
        let named = TempoAnalysis.estimate(machine.buffer(), hints: [TempoHint(bpm: 124, source: .name)])
        #expect(named.source == .name)
        let wrong = TempoAnalysis.estimate(machine.buffer(), hints: [TempoHint(bpm: 131, source: .name)])
        #expect(abs((wrong.bpm ?? 0) / 124 - 1) < 1e-4, "a tempo that can't be heard is overruled")
        #expect(wrong.source == .audio)
    }

    @Test(
        "A name can say that there is a tempo, and which",
        arguments: [
            ("/a/loop_perc1.flac", true, nil), ("909beat01.ogg", true, nil), ("Drumloop 3.wav", true, nil),
            ("x/Break-02.wav", true, nil), ("pad_120bpm.wav", true, 120), ("loops/pad.wav", false, nil),
            ("heartbeaten.wav", false, nil), ("loopback.wav", false, nil), ("a.loop", false, nil),
        ] as [(String, Bool, Double?)])
    func names(path: String, isClaimed: Bool, bpm: Double?) {
        let hints = TempoHint.inName(of: path)
        #expect(hints.isEmpty != isClaimed)
        #expect(hints.first?.bpm == bpm)
    }

    @Test("What is called a loop is taken as one where the sound leaves room for doubt, and silence never is")
    func called() {
        let hints = TempoHint.inName(of: "loop.wav")
        var accepted = (plain: 0, called: 0)
        for seed in 0..<24 {
            // Hits anywhere in four seconds.
            var random = TestRandom(seed: UInt64(seed))
            var machine = DrumMachine(seconds: 4)
            for _ in 0..<7 { machine.play(.hat, at: 1.9 * (1 + random.amplitude())) }
            let plain = TempoAnalysis.estimate(machine.buffer())
            let called = TempoAnalysis.estimate(machine.buffer(), hints: hints)
            if plain.bpm != nil { accepted.plain += 1 }
            if called.bpm != nil { accepted.called += 1 }
            #expect(plain.bpm == nil || called.bpm != nil)
            #expect(called.source == .audio)
        }
        #expect(accepted.called > accepted.plain, "\(accepted)")
        let silence = SampleBuffer(left: [Float](repeating: 0, count: 96_000), sampleRate: .standard)
        #expect(TempoAnalysis.estimate(silence, hints: hints).bpm == nil)
    }
}

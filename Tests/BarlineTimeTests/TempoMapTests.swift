import BarlineTime
import Testing

@Suite("Tempo map")
struct TempoMapTests {
    static let rates = [8_000.0, 22_050, 44_100, 48_000, 96_000, 192_000]

    @Test(
        "A ramp of next to no length is none",
        arguments: [.leastNonzeroMagnitude, .leastNormalMagnitude / 64, 1e-12])
    func shortestRamp(beats: Double) {
        let segment = TempoSegment(
            startFrame: .zero, startBeat: Beat(0), tempo: Tempo(clamping: 120), endTempo: Tempo(clamping: 140),
            rampBeats: beats, sampleRate: .standard)
        for frame in [0, 1, 1_000] {
            let expected = Double(frame) * 140 / (60 * 48_000)
            #expect(abs(segment.beats(inFrames: Double(frame)) - expected) < 1e-8)
            #expect(abs(segment.frames(inBeats: expected) - Double(frame)) < 1e-3)
        }
    }

    @Test("A frame's beat leads back to the frame, over hours of random tempo changes and ramps", arguments: 0..<24)
    func inverse(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let rate = try #require(SampleRate(TempoMapTests.rates[seed % TempoMapTests.rates.count]))
        var map = TempoMap(tempo: Tempo(clamping: 120), sampleRate: rate, capacity: 512)
        var frame = Int64(0)
        for _ in 0..<300 {
            frame += Int64.random(in: 1...Int64(120 * rate.hertz), using: &random)
            let tempo = Tempo(clamping: Double.random(in: 20...999, using: &random))
            let ramp = Bool.random(using: &random) ? Double.random(in: 0.01...64, using: &random) : 0
            map.change(at: FrameTime(frame), to: tempo, overBeats: ramp)
        }
        for _ in 0..<20_000 {
            let probe = FrameTime(Int64.random(in: 0...(frame + Int64(600 * rate.hertz)), using: &random))
            let back = map.frame(of: map.beat(at: probe))
            #expect(back == probe)
        }
    }

    @Test("Segments follow each other, whatever is changed, moved and forgotten", arguments: 0..<8)
    func segments(seed: Int) throws {
        var random = TestRandom(seed: UInt64(200 + seed))
        var map = TempoMap(tempo: Tempo(clamping: 90), sampleRate: .standard, capacity: 16)
        var copy = TempoMap(tempo: Tempo(clamping: 90), sampleRate: .standard, capacity: 16)
        var frame = Int64(0)
        for _ in 0..<400 {
            // Also before what was planned, which is replaced.
            frame = max(0, frame + Int64.random(in: -50_000...200_000, using: &random))
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                map.changeSampleRate(
                    at: FrameTime(frame),
                    to: try #require(TempoMapTests.rates.randomElement(using: &random).flatMap { SampleRate($0) }))
            case 1:
                map.shift(by: 1_000)
                frame += 1_000
            default:
                map.change(
                    at: FrameTime(frame), to: Tempo(clamping: Double.random(in: 20...999, using: &random)),
                    overBeats: Double.random(in: 0...8, using: &random))
            }
            copy.copy(map)
            let areSound = map.checkInvariants() && copy.checkInvariants()
            #expect(areSound)
        }
    }

    @Test("The beat is continuous at every change, and grows", arguments: 0..<8)
    func continuity(seed: Int) {
        var random = TestRandom(seed: UInt64(100 + seed))
        var map = TempoMap(tempo: Tempo(clamping: 90), sampleRate: .standard)
        var frame = Int64(0)
        for _ in 0..<100 {
            frame += Int64.random(in: 1...200_000, using: &random)
            let before = map.beat(at: FrameTime(frame))
            let tempo = Tempo(clamping: Double.random(in: 20...999, using: &random))
            map.change(at: FrameTime(frame), to: tempo, overBeats: Double.random(in: 0...8, using: &random))
            #expect(abs(map.beat(at: FrameTime(frame)) - before) < 1e-9)
            #expect(map.beat(at: FrameTime(frame + 1)) > map.beat(at: FrameTime(frame)))
        }
    }

    @Test(
        "A ramp takes the time that its tempo, linear in beats, adds up to",
        arguments: [(60.0, 180.0, 16.0), (300, 40, 3.5), (100, 101, 200), (20, 999, 1)])
    func ramp(from: Double, to: Double, beats: Double) {
        var map = TempoMap(tempo: Tempo(clamping: from), sampleRate: .standard)
        map.change(at: FrameTime.zero, to: Tempo(clamping: to), overBeats: beats)
        // The midpoint rule over a fine division of the ramp and of the two beats that follow it.
        let divisions = 400_000
        var frames = 0.0
        for index in 0..<divisions {
            let beat = (Double(index) + 0.5) / Double(divisions) * (beats + 2)
            let bpm = beat < beats ? from + (to - from) * beat / beats : to
            frames += 60 * 48_000 / bpm * (beats + 2) / Double(divisions)
            if index == divisions / 3 {
                let reached = Double(index + 1) / Double(divisions) * (beats + 2)
                #expect(abs(map.exactFrame(of: Beat(reached)) - frames) < 0.01)
            }
        }
        #expect(abs(map.exactFrame(of: Beat(beats + 2)) - frames) < 0.01)
    }

    @Test(
        "Beats of a constant tempo fall on the frames of exact arithmetic for 24 hours",
        arguments: [(473, 10), (120, 1), (1_373, 10), (999, 1)], [44_100, 48_000])
    func day(tempo: (Int, Int), rate: Int) throws {
        let map = TempoMap(
            tempo: Tempo(clamping: Double(tempo.0) / Double(tempo.1)),
            sampleRate: try #require(SampleRate(Double(rate))))
        // k · 60 · R / (n / d), halves up, in integers.
        let beatsADay = 24 * 60 * tempo.0 / tempo.1
        for beat in stride(from: 0, through: beatsADay, by: 7) {
            let doubled = 2 * beat * 60 * rate * tempo.1
            let expected = (doubled + tempo.0) / (2 * tempo.0)
            #expect(map.frame(of: Beat(Double(beat))).rawValue == Int64(expected))
        }
    }

    @Test("A boundary exactly between two frames is on the later one, at every rate and tempo")
    func halves() throws {
        // At 128 BPM and 48 kHz an eighth of a beat is 2812.5 frames.
        let map = TempoMap(tempo: Tempo(clamping: 128), sampleRate: .standard)
        for index in Int64(0)..<10_000 {
            let expected = (index * 5_625 + 1) / 2
            #expect(map.frame(of: Beat(Double(index) / 8)).rawValue == expected)
        }
    }

    @Test("A change of sample rate keeps beat and tempo, and a ramp under way goes on")
    func sampleRate() throws {
        var map = TempoMap(tempo: Tempo(clamping: 60), sampleRate: .standard)
        map.change(at: FrameTime.zero, to: Tempo(clamping: 120), overBeats: 8)
        let frame = FrameTime(100_000)
        let beat = map.beat(at: frame)
        let tempo = map.tempo(at: frame)
        map.changeSampleRate(at: frame, to: try #require(SampleRate(96_000)))
        #expect(abs(map.beat(at: frame) - beat) < 1e-9)
        #expect(abs(map.tempo(at: frame).beatsPerMinute - tempo.beatsPerMinute) < 1e-9)
        // Linear in beats: the rest of the ramp has the same slope, and ends at beat 8.
        #expect(abs(map.tempo(at: map.frame(of: Beat(8))).beatsPerMinute - 120) < 0.01)
        let secondsBeforeChange = 100_000 / 48_000.0
        // The whole ramp lasts ∫ 60 / (60 + 7.5 b) db = 8 ln 2 seconds.
        #expect(abs((map.exactFrame(of: Beat(8)) - 100_000) / 96_000 + secondsBeforeChange - 5.545177444479562) < 1e-6)
    }

    @Test("A map that is full forgets its oldest change, and is right from the next one on")
    func capacity() {
        var small = TempoMap(tempo: Tempo(clamping: 100), sampleRate: .standard, capacity: 4)
        var large = TempoMap(tempo: Tempo(clamping: 100), sampleRate: .standard, capacity: 64)
        for index in 1...20 {
            small.change(at: FrameTime(Int64(index) * 10_000), to: Tempo(clamping: Double(90 + index)))
            large.change(at: FrameTime(Int64(index) * 10_000), to: Tempo(clamping: Double(90 + index)))
        }
        for frame in stride(from: Int64(170_000), to: 400_000, by: 777) {
            #expect(small.beat(at: FrameTime(frame)) == large.beat(at: FrameTime(frame)))
        }
    }
}

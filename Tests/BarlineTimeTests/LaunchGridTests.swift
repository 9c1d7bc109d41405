import BarlineTime
import Testing

@Suite("Launch grid")
struct LaunchGridTests {
    /// The rule in integers: at 120 BPM and 48 kHz a beat is 24 000 frames, so every boundary is a whole frame.
    private func expected(frame: Int64, period: Int64, tolerance: Double) -> (boundary: Int64, isPast: Bool) {
        let index = Int64((Double(frame) / Double(period)).rounded(.down))
        let passed = index * period
        if passed == frame { return (passed, false) }
        if Double(frame - passed) / Double(period) < tolerance { return (passed, true) }
        return (passed + period, false)
    }

    @Test("A launch takes the boundary just passed within the tolerance, and the next one otherwise", arguments: 0..<12)
    func rule(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let tempo = TempoMap(tempo: .standard, sampleRate: .standard)
        let metre = MetreMap(.common)
        // Quarter notes of every named grid, as a fraction of 24 000 frames.
        let grids: [(String, Int64)] = [
            ("1/32", 3_000), ("1/16", 6_000), ("1/16t", 4_000), ("1/16.", 9_000), ("1/8", 12_000), ("1/4t", 16_000),
            ("1/4", 24_000), ("1/2.", 72_000), ("1 bar", 96_000), ("2 bars", 192_000), ("4 bars", 384_000),
            ("8 bars", 768_000),
        ]
        for _ in 0..<2_000 {
            let (name, period) = grids[Int.random(in: 0..<grids.count, using: &random)]
            let grid = try #require(Quantization(name))
            let tolerance = [0, 0.02, 0.1, 0.5][Int.random(in: 0..<4, using: &random)]
            var frame = Int64.random(in: 0...40_000_000, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { frame = frame / period * period }
            let point = LaunchGrid.point(
                at: FrameTime(frame), quantization: grid, tolerance: tolerance, rollBeat: Beat(-4), tempo: tempo,
                metre: metre)
            let model = expected(frame: frame, period: period, tolerance: tolerance)
            #expect(tempo.frame(of: point.beat).rawValue == model.boundary, "\(name) at \(frame)")
            #expect(point.isPast == model.isPast, "\(name) at \(frame), tolerance \(tolerance)")
        }
    }

    @Test("Exactly at the tolerance a launch waits for the next boundary, and a frame before it is in phase, for hours")
    func atTheTolerance() throws {
        let tempo = TempoMap(tempo: .standard, sampleRate: .standard)
        let metre = MetreMap(.common)
        for (name, period) in [("1 bar", Int64(96_000)), ("1/4", 24_000), ("8 bars", 768_000)] {
            let grid = try #require(Quantization(name))
            for index in 0..<Int64(20_000) {
                for (early, isPast) in [(Int64(1), true), (0, false)] {
                    let frame = index * period + period / 50 - early
                    let point = LaunchGrid.point(
                        at: FrameTime(frame), quantization: grid, tolerance: 0.02, rollBeat: Beat(-4), tempo: tempo,
                        metre: metre)
                    #expect(point.isPast == isPast, "\(name) at \(frame)")
                }
            }
        }
    }

    @Test("Bars of different length count as they are")
    func changingBars() throws {
        let tempo = TempoMap(tempo: .standard, sampleRate: .standard)
        var metre = MetreMap(.common)
        metre.change(atOrAfter: Beat(8), to: "3/4")
        // Lines at 0, 4, 8, 11, 14, 17, 20, 23, 26: every second one at 0, 8, 14, 20, 26, every fourth at 0, 14, 26.
        func next(_ beat: Double, _ grid: String) throws -> Double {
            LaunchGrid.point(
                at: tempo.frame(of: Beat(beat)), quantization: try #require(Quantization(grid)), tolerance: 0.02,
                rollBeat: Beat(0), tempo: tempo, metre: metre
            ).beat.rawValue
        }
        #expect(try next(5, "1 bar") == 8)
        #expect(try next(9, "1 bar") == 11)
        #expect(try next(9, "2 bars") == 14)
        #expect(try next(15, "4 bars") == 26)
    }

    @Test("A boundary where, or before, the transport began to roll is not snapped to")
    func countIn() {
        var tempo = TempoMap(tempo: .standard, sampleRate: .standard)
        tempo.reset(startFrame: .zero, startBeat: Beat(-4), tempo: .standard)
        let metre = MetreMap(.common)
        let point = LaunchGrid.point(
            at: FrameTime(100), quantization: .bar, tolerance: 0.02, rollBeat: Beat(-4), tempo: tempo, metre: metre)
        #expect(point.beat == Beat(0))
        #expect(!point.isPast)
    }

    @Test(
        "A boundary rounded to the command's frame is met on time, at every tempo and rate",
        arguments: [20.0, 47.3, 133.7, 311, 999], [8_000.0, 44_100, 48_000, 192_000])
    func roundedBoundary(bpm: Double, hertz: Double) throws {
        let tempo = TempoMap(tempo: Tempo(clamping: bpm), sampleRate: try #require(SampleRate(hertz)))
        let metre = MetreMap(.common)
        for bar in 1...500 {
            let exact = Double(bar) * 4 * 60 * hertz / bpm
            let frame = FrameTime(Int64((exact + 0.5).rounded(.down)))
            let point = LaunchGrid.point(
                at: frame, quantization: .bar, tolerance: 0, rollBeat: Beat(0), tempo: tempo, metre: metre)
            #expect(point.beat == Beat(Double(bar) * 4))
            #expect(!point.isPast)
        }
    }
}

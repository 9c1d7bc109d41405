import BarlineEngine
import BarlineTime
import Testing

/// Tempo by taps.
@Suite("Tap tempo")
struct TapTempoTests {
    private func tempos(_ taps: [Int]) throws -> [Double] {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        for tap in taps { try engine.transport.tapTempo(at: FrameTime(Int64(tap))) }
        let recorder = Recorder(engine, frames: 1_000_000)
        recorder.render(1_000_000, .mixed(seed: 7))
        return recorder.events.compactMap { event in
            if case .transport(.tempoChanged(let tempo, _, _)) = event.kind { return tempo.beatsPerMinute }
            return nil
        }
    }

    @Test("The tempo is the mean of the intervals so far")
    func mean() throws {
        let tempos = try tempos([1_000, 25_000, 50_000, 73_000])
        let intervals: [Double] = [24_000, 49_000 / 2, 72_000 / 3]
        let expected = intervals.map { (frames: Double) -> Double in 60 * 48_000 / frames }
        #expect(zip(tempos, expected).allSatisfy { abs($0 - $1) < 1e-9 } && tempos.count == 3)
    }

    @Test("Only the last eight taps count")
    func lastEight() throws {
        var taps = [0]
        for _ in 0..<4 { taps.append(taps[taps.count - 1] + 24_000) }
        for _ in 0..<7 { taps.append(taps[taps.count - 1] + 32_000) }
        #expect(abs(try #require(try tempos(taps).last) - 90) < 1e-9)
    }

    @Test("A pause of more than three seconds begins anew")
    func pause() throws {
        #expect(try tempos([0, 24_000, 200_000]).count == 1)
        #expect(try tempos([0, 24_000, 200_000, 216_000]).last == 180)
    }

    @Test("Taps too fast to be a tempo are played at the fastest there is")
    func clamped() throws { #expect(try tempos([0, 10]) == [999]) }

    @Test("Two taps on one frame are one")
    func sameFrame() throws { #expect(try tempos([500, 500, 24_500]) == [120]) }
}

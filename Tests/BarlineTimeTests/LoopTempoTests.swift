import BarlineTime
import Testing

/// The tempo of loops of which the length is known.
@Suite("Tempo of a loop")
struct LoopTempoTests {
    /// Seconds, quarter notes of a bar, beats.
    private static let loops: [(Double, Double, Double)] = [
        (2, 4, 4), (8, 4, 16), (4.8, 4, 8), (1, 4, 2), (0.4, 4, 1), (0.6, 4, 1), (3.2, 4, 4), (1.5, 3, 3), (6, 3, 12),
        (7, 3.5, 14),
        (600, 4, 1_024), (0.2, 4, 1), (4.0 / 3, 4, 4), (1.3, 4, 2),
    ]

    @Test(
        "A loop has the beats that make its tempo 60 to 180 BPM, in bars that are a power of two", arguments: loops)
    func beats(seconds: Double, bar: Double, beats: Double) {
        #expect(LoopTempo.beats(seconds: seconds, barLength: bar) == beats)
    }

    @Test("No other number of bars that is a power of two is nearer to the middle of the range")
    func nearest() {
        for step in 4...4_000 {
            let seconds = Double(step) / 3
            let tempo = 60 * LoopTempo.beats(seconds: seconds, barLength: 4) / seconds
            #expect((59.99...180.01).contains(tempo))
            for other in [tempo / 2, tempo * 2] where (60...180).contains(other) && other * seconds / 60 > 3.9 {
                #expect(
                    abs(other.logarithm - 10_800.0.squareRoot().logarithm) >= abs(
                        tempo.logarithm - 10_800.0.squareRoot().logarithm) - 1e-9)
            }
        }
    }
}

extension Double {
    /// The natural logarithm, by halving: for tests of a module without Foundation.
    fileprivate var logarithm: Double {
        // log x = 2 artanh((x − 1) / (x + 1)), after bringing x near 1 by square roots.
        var (value, factor) = (self, 2.0)
        while abs(value - 1) > 0.01 { (value, factor) = (value.squareRoot(), factor * 2) }
        let ratio = (value - 1) / (value + 1)
        return factor * (ratio + ratio * ratio * ratio / 3 + ratio * ratio * ratio * ratio * ratio / 5)
    }
}

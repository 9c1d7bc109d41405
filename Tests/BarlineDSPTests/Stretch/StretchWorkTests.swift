import Testing

@testable import BarlineDSP

/// How evenly the work of many voices is spread over blocks of 64 frames, by the transforms that they compute.
@Suite("The work of time-stretching voices")
struct StretchWorkTests {
    private static let patterns = [StretchTests.swung, Array(stride(from: 0, to: 192_000, by: 24_000))]

    private static func share(_ hits: [Int], rate: Double, voices: Int, steps: [StretchStage.Step] = []) -> Double {
        let stage = StretchStage(
            left: StretchTests.hits(hits, length: 192_000), marks: StretchStage.cuts(hits, fresh: 0), loops: true)
        _ = stage.render(192_000, rate: rate, steps: steps, blocks: [64], voices: voices)
        let counts = stage.transformsPerBlock
        return Double(counts.max() ?? 0) * Double(counts.count) / Double(counts.reduce(0, +))
    }

    @Test(
        "Voices whose launches and attacks coincide compute in turn: no block has more than 1.7 times the mean",
        arguments: patterns, [0.5, 0.8, 0.95, 1.05, 1.25, 1.7])
    func inTurn(hits: [Int], rate: Double) {
        #expect(Self.share(hits, rate: rate, voices: 64) <= 1.7)
    }

    @Test("Few voices compute in turn as well", arguments: [0.5, 1.25])
    func few(rate: Double) {
        #expect(Self.share(StretchTests.swung, rate: rate, voices: 16) <= 2)
    }

    @Test(
        "So do they while the tempo steps, wherever their attacks are: no block has more than four times the mean",
        arguments: [(0.8, 0.81), (0.8, 0.9), (0.6, 1.2)], [331, 1_000, 4_800, 24_000])
    func throughSteps(rates: (Double, Double), interval: Int) {
        let frames = stride(from: 5_000, to: 192_000, by: interval)
        let steps = frames.enumerated().map { index, frame in
            StretchStage.Step(frame: Int64(frame), rate: index % 2 == 0 ? rates.1 : rates.0)
        }
        for hits in Self.patterns {
            #expect(Self.share(hits, rate: rates.0, voices: 64, steps: steps) <= 4)
        }
    }
}

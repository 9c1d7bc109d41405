import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Stems at their first start: nothing lies before their first frame.
@Suite("Starts of stems")
struct StemStartTests {
    private func cosine(_ frames: Int, first: Float? = nil) -> SampleStem {
        var samples = (0..<frames).map { Float(0.5 * cos(2 * .pi * 100 * Double($0) / 48_000)) }
        if let first { samples[0] = first }
        return SampleStem(left: samples, right: samples)
    }

    @Test("A first frame above −60 dB of the peak comes in over half a millisecond, one below is whole")
    func firstFrame() throws {
        for (first, isSoft) in [(Float(0.5), true), (0.000_51, true), (0.000_49, false), (0, false)] {
            let source = cosine(20_000, first: first)
            for blocks in [[1], [64], [4_096]] {
                let stage = try StemStage([Stem(source)], frames: 5_000, blocks: blocks)
                try stage.perform([(1_000, .play)], frames: 5_000)
                let wrong = (0..<5_000).first { frame in
                    let level = isSoft ? min(1, max(0, Double(frame - 1_000) / 24)) : 1
                    let expected = Double(source.sample(frame - 1_000).left) * level
                    return abs(Double(stage.recorder.left()[frame]) - expected) > 1e-6
                }
                #expect(wrong == nil, "\(first) in blocks of \(blocks)")
            }
        }
    }

    @Test("So does a stem that begins later, and one that begins within its file", arguments: [-1_500, 300, 9_120])
    func offset(offset: Int) throws {
        let source = cosine(30_000)
        for blocks in [[1], [64], [4_096]] {
            let stage = try StemStage([Stem(source, offset: Int64(offset))], frames: 6_000, blocks: blocks)
            try stage.perform([(1_000, .play)], frames: 6_000)
            let start = 1_000 + max(0, -offset)
            let wrong = (0..<6_000).first { frame in
                let level = min(1, max(0, Double(frame - start) / 24))
                let expected = frame < start ? 0 : Double(source.sample(frame - 1_000 + offset).left) * level
                return abs(Double(stage.recorder.left()[frame]) - expected) > 1e-6
            }
            #expect(wrong == nil, "in blocks of \(blocks)")
        }
    }

    @Test("A stem that begins while the others play, after a seek, does not step either")
    func lateStem() throws {
        let source = cosine(30_000)
        let stage = try StemStage([Stem(source, offset: -20_000)], frames: 30_000)
        try stage.perform([(0, .seek(15_000)), (1_000, .play)], frames: 30_000)
        let steps = (1..<30_000).map { abs(stage.recorder.left()[$0] - stage.recorder.left()[$0 - 1]) }
        #expect((steps.max() ?? 1) < 0.5 / 24 + 0.0066)
        #expect(stage.recorder.left()[6_000 + 480 * 10] > 0.49)
    }
}

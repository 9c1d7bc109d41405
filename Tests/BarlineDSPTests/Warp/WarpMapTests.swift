import Foundation
import Testing

@testable import BarlineDSP

@Suite("Beats that are not equally long")
struct WarpMapTests {
    /// The position at a beat, looked for from the first knot on.
    private static func model(_ knots: [WarpKnot], _ beat: Double, loops: Bool) -> Double {
        let last = knots[knots.count - 1]
        let cycle = loops ? (beat / last.beat).rounded(.down) : 0
        let within = beat - cycle * last.beat
        var piece = 0
        while piece + 2 < knots.count, knots[piece + 1].beat <= within { piece += 1 }
        let (low, high) = (knots[piece], knots[piece + 1])
        let part = (within - low.beat) / (high.beat - low.beat)
        return cycle * last.position + low.position + part * (high.position - low.position)
    }

    private static func knots(seed: UInt64) -> [WarpKnot] {
        var random = TestRandom(seed: seed)
        var knots = [WarpKnot(position: 0, beat: 0)]
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let last = knots[knots.count - 1]
            knots.append(
                WarpKnot(
                    position: last.position + Double(Int.random(in: 1...50_000, using: &random)),
                    beat: last.beat + Double.random(in: 0.01...3, using: &random)))
        }
        return knots
    }

    @Test(
        "Positions are those of straight lines between the knots, round a loop and beyond the ends",
        arguments: [true, false])
    func positions(loops: Bool) {
        for seed in UInt64(1)...20 {
            let knots = Self.knots(seed: seed)
            let beats = knots[knots.count - 1].beat
            var random = TestRandom(seed: seed + 100)
            knots.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let map = WarpMap(knots: base, count: knots.count, loops: loops)
                for _ in 0..<500 {
                    let beat = Double.random(in: -2 * beats...5 * beats, using: &random)
                    let position = map.position(atBeat: beat)
                    #expect(abs(position - Self.model(knots, beat, loops: loops)) < 1e-6)
                    #expect(abs(map.beat(atPosition: position) - beat) < 1e-9)
                    let ahead = map.position(atBeat: beat + 1e-5) - position
                    let bend = map.bend(afterBeat: beat)
                    #expect(bend > beat)
                    if bend > beat + 1e-5 { #expect(abs(ahead / 1e-5 / map.slope(atBeat: beat) - 1) < 1e-3) }
                }
                for knot in knots { #expect(map.position(atBeat: knot.beat) == knot.position) }
            }
        }
    }

    @Test("Bends follow each other knot by knot, in a loop for ever and else up to the last but one")
    func bends() {
        let knots = [(0.0, 0.0), (10, 1), (30, 2), (60, 4)].map { WarpKnot(position: $0.0, beat: $0.1) }
        func bends(loops: Bool) -> [Double] {
            knots.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return [] }
                let map = WarpMap(knots: base, count: knots.count, loops: loops)
                var beats = [-0.5]
                while beats.count < 9, beats[beats.count - 1] < .infinity {
                    beats.append(map.bend(afterBeat: beats[beats.count - 1]))
                }
                return Array(beats.dropFirst())
            }
        }
        #expect(bends(loops: true) == [0, 1, 2, 4, 5, 6, 8, 9])
        #expect(bends(loops: false) == [1, 2, .infinity])
    }
}

import BarlineTime
import Foundation
import Testing

@testable import BarlineDSP

@Suite("Styles of time-stretch")
struct StretchStyleTests {
    private static let hits = StretchTests.hits(StretchTests.swung, length: 192_000, decay: 4_000)
    private static let cuts = StretchStage.cuts(StretchTests.swung, fresh: 0)

    /// The frame on which a hit of a turn is due.
    private static func frame(of hit: Int, turn: Int, rate: Double) -> Int {
        Int((Double(turn * 192_000 + hit) / rate + 0.5).rounded(.down))
    }

    private static let styles = [
        StretchStyle(grain: .medium), StretchStyle(grain: .short),
        StretchStyle(isSliced: true, keptShare: 1), StretchStyle(isSliced: true, keptShare: 0.3),
        StretchStyle(isSliced: true, keptShare: 1, decay: 1e-3, grain: .short),
        StretchStyle(isSliced: true, decay: 4e-4), StretchStyle(isTonal: true),
    ]

    @Test(
        "Blocks of any size give the same samples in every style, through changes of the rate as well",
        arguments: styles)
    func blocks(style: StretchStyle) {
        let weak = [5_000, 29_000, 40_000, 100_000, 101_000]
        let stage = StretchStage(
            left: Self.hits, right: TestSound.noise(192_000, seed: 9), marks: Self.cuts, loops: true, style: style,
            weak: weak)
        let steps = [
            StretchStage.Step(frame: 30_011, rate: 1.25), StretchStage.Step(frame: 70_000, rate: 1),
            StretchStage.Step(frame: 120_003, rate: 0.6), StretchStage.Step(frame: 121_000, rate: 2),
        ]
        let expected = stage.render(200_000, rate: 0.8, steps: steps)
        for sizes in [[1], [4_096], [7, 1_000, 33]] {
            let isSame = stage.render(200_000, rate: 0.8, steps: steps, blocks: sizes) == expected
            #expect(isSame, "\(sizes)")
        }
    }

    @Test("Whatever the tempo does around attacks, blocks of any size give the same samples", arguments: 0..<24)
    func restlessBlocks(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        let style = Self.styles[seed % Self.styles.count]
        let hits = (0..<random.int(4...14)).map { _ in random.int(0...47_000) }.sorted()
        let marks = hits.enumerated().filter { $0.offset == 0 || hits[$0.offset - 1] < $0.element }.map {
            StretchMark(position: $0.element, isCut: random.chance(0.8), isRestart: false)
        }
        let stage = StretchStage(
            left: TestSound.noise(48_000, seed: UInt64(seed)), right: TestSound.noise(48_000, seed: 99), marks: marks,
            loops: true, style: style)
        let count = 120_000
        let steps = (0..<random.int(1...12)).map { _ in random.int(0...count) }.sorted().map {
            StretchStage.Step(frame: Int64($0), rate: random.chance(0.2) ? 1 : random.double(0.5...2))
        }
        let rate = random.double(0.5...2)
        let expected = stage.render(count, rate: rate, steps: steps)
        for sizes in [[16], [4_096], [7, 1_000, 33]] {
            let output = stage.render(count, rate: rate, steps: steps, blocks: sizes)
            let first = output.left.indices.first { output.left[$0] != expected.left[$0] }
            #expect(first == nil && output == expected, "blocks of \(sizes)")
        }
    }

    @Test(
        "A tone that is cut at attacks passes over to itself within a fade, however often the tempo steps, as it is dragged",
        arguments: styles)
    func smoothCuts(style: StretchStyle) {
        let frequency = 0.0046
        let tone = TestSound.sine(frequency, frames: 96_000).map { 0.4 * $0 }
        let marks = StretchStage.cuts((0..<8).map { 12_000 * $0 }, fresh: 0)
        let stage = StretchStage(left: tone, marks: marks, loops: true, style: style)
        let fade: Double =
            switch style.grain {
            case .long: 96
            case .medium: 48
            case .short: 24
            }
        // From one phase of it to any other, within six tenths of a fade.
        let steepest = Float(0.4 * (2 * .pi * frequency + 2 / (0.6 * fade)))
        var random = TestRandom(seed: 5)
        for round in 0..<160 {
            let rate = round % 3 == 0 ? 1 : random.double(0.8...1.25)
            var frame = random.int(10_000...22_000)
            let steps = (0..<[0, 1, 2, 3, 8, 40][round % 6]).map { _ in
                frame += random.int(100...1_500)
                return StretchStage.Step(frame: Int64(frame), rate: random.double(0.8...1.25))
            }
            let output = stage.render(60_000, rate: rate, steps: steps).left
            let slopes = (1_000..<60_000).map { abs(output[$0] - output[$0 - 1]) }
            let worst = slopes.max() ?? .infinity
            #expect(worst < steepest, "\(worst) at \(slopes.firstIndex(of: worst) ?? -1), \(rate), \(steps)")
        }
    }

    @Test("A loop's turns are the same, bit for bit, from the second on, in every style", arguments: styles)
    func turns(style: StretchStyle) {
        for rate in [0.75, 1.25] {
            let stage = StretchStage(left: Self.hits, marks: Self.cuts, loops: true, style: style)
            let turn = Int(192_000 / rate)
            let output = stage.render(4 * turn, rate: rate, slot: 3)
            for later in 2..<4 {
                #expect(
                    output.left[later * turn..<(later + 1) * turn].elementsEqual(output.left[turn..<2 * turn]),
                    "turn \(later) at \(rate)")
            }
        }
    }

    @Test("Attacks are on their frames with grains of every length", arguments: StretchGrain.allCases)
    func attacks(grain: StretchGrain) {
        let sound = StretchTests.hits(StretchTests.swung, length: 192_000)
        for rate in [0.7, 0.85, 1.25, 1.5] {
            let stage = StretchStage(left: sound, marks: Self.cuts, loops: true, style: StretchStyle(grain: grain))
            let output = stage.render(Int(192_000 / rate), rate: rate)
            for hit in StretchTests.swung.dropFirst().dropLast() {
                let lag = AttackFinder.lag(
                    of: Array(sound[hit..<hit + 800]), in: output.left,
                    near: Self.frame(of: hit, turn: 0, rate: rate), reach: 200)
                #expect(abs(lag) <= 1, "\(rate), hit at \(hit): \(lag)")
            }
        }
    }

    @Test("Two partials of a sound without attacks, one 80 dB below the other, stay two sines")
    func partials() {
        let (loud, quiet) = (440.0 / 48_000, 1_760.0 / 48_000)
        // Whole periods of both.
        let samples = (0..<192_000).map { frame in
            Float(0.5 * sin(2 * .pi * loud * Double(frame)) + 5e-5 * sin(2 * .pi * quiet * Double(frame)))
        }
        let stage = StretchStage(
            left: samples, marks: [StretchMark(position: 0, isCut: false, isRestart: true)], loops: true,
            style: StretchStyle(isTonal: true))
        for rate in [0.75, 1.25] {
            let output = stage.render(100_000, rate: rate).left[40_000..<88_000].map(Double.init)
            let first = SineFit(output, frequency: loud)
            #expect(abs(20 * log10(2 * first.amplitude)) < 0.001 && abs(first.residual + 80) < 0.1, "\(first)")
            let second = SineFit(output, frequency: quiet)
            #expect(abs(20 * log10(2e4 * second.amplitude)) < 0.01, "\(second)")
        }
    }

    @Test("A sine stays a sine with shorter grains", arguments: [StretchGrain.medium, .short])
    func sines(grain: StretchGrain) {
        let stage = StretchStage(left: TestSound.sine(0.0213, frames: 400_000), style: StretchStyle(grain: grain))
        let output = stage.render(150_000, rate: 0.8)
        let fit = SineFit(output.left[40_000..<140_000].map(Double.init), frequency: 0.0213)
        #expect(abs(20 * log10(fit.amplitude)) < 0.1 && fit.residual < -60, "\(fit)")
    }

    @Test("A voice takes up grains of another length with nothing left of the former ones")
    func grainChanges() {
        let pool = StretchPool(voiceCount: 1, sampleRate: .standard)
        let fresh = StretchPool(voiceCount: 1, sampleRate: .standard)
        func render(_ pool: borrowing StretchPool, _ grain: StretchGrain, _ count: Int) -> [Float] {
            let stage = StretchStage(left: Self.hits, marks: Self.cuts, loops: true, style: StretchStyle(grain: grain))
            var left = [Float](repeating: 0, count: count)
            var right = left
            let segment = TempoSegment(
                startFrame: .zero, startBeat: Beat(rawValue: 0), tempo: .standard, endTempo: .standard, rampBeats: 0,
                sampleRate: .standard)
            let course = StretchCourse(
                anchorFrame: .zero, anchor: SourcePosition(0), step: SourcePosition(0.8), rate: 0.8, segment: segment)
            pool.voices[0].reset()
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return }
                    pool.render(
                        voice: 0, of: stage.source, along: course, from: 0, count: count, left: left, right: right)
                }
            }
            return left
        }
        _ = render(pool, .long, 20_000)
        let after = render(pool, .short, 30_000)
        #expect(after == render(fresh, .short, 30_000))
        #expect(render(pool, .long, 30_000) == render(fresh, .long, 30_000))
    }

    @Test(
        "With slices alone there is nothing between the end of one and the attack of the next",
        arguments: [0.5, 0.7, 0.9])
    func gaps(rate: Double) {
        let stage = StretchStage(
            left: Self.hits, marks: Self.cuts, loops: true, style: StretchStyle(isSliced: true, keptShare: 1))
        let output = stage.render(Int(192_000 / rate), rate: rate)
        for (hit, next) in zip(StretchTests.swung, StretchTests.swung.dropFirst()) {
            let first = Self.frame(of: hit, turn: 0, rate: rate)
            let due = Self.frame(of: next, turn: 0, rate: rate)
            let whole = first + next - hit - 96
            #expect(
                output.left[first..<whole].elementsEqual(Self.hits[hit..<hit + whole - first]), "the slice at \(hit)")
            #expect(output.left[first + next - hit..<due - 96].allSatisfy { $0 == 0 }, "the gap after \(hit)")
        }
    }

    @Test("At the source's own tempo slices alone are the source, bit for bit")
    func wholeSlices() {
        let stage = StretchStage(
            left: Self.hits, marks: Self.cuts, loops: true, style: StretchStyle(isSliced: true, keptShare: 1))
        let output = stage.render(400_000, rate: 1, blocks: [333])
        #expect(output.left == (0..<400_000).map { Self.hits[$0 % 192_000] })
    }

    @Test("Slices decay as fast as they are told to, each from its own attack on")
    func decay() {
        // 60 dB in 200 ms.
        let rate = 9.965_784_284_662_087 / 9_600
        let sound = [Float](repeating: 0.5, count: 192_000)
        let stage = StretchStage(
            left: sound, marks: Self.cuts, loops: true, style: StretchStyle(isSliced: true, decay: rate))
        let output = stage.render(192_000, rate: 1)
        for hit in StretchTests.swung {
            for offset in [0, 1_000, 4_800, 9_600] {
                let expected = 0.5 * pow(10, -3 * Double(offset) / 9_600)
                #expect(abs(Double(output.left[hit + offset]) / expected - 1) < 1e-4, "\(offset) frames after \(hit)")
            }
        }
    }

    @Test("Each weak attack is in one of successive stretches of a course, in every pass of a loop")
    func weak() {
        let positions = [0, 17, 5_000, 5_001, 191_999]
        let stage = StretchStage(left: Self.hits, loops: true, weak: positions)
        let source = stage.source
        for step in [13.7, 819.2, 2_048] {
            var found = 0
            var expected = 0
            for index in 0..<Int(400_000 / step) {
                let (low, high) = (Double(index) * step - 0.5, Double(index + 1) * step - 0.5)
                if source.hasWeak(after: low, through: high) { found += 1 }
                let isIn = (0...2).contains { turn in
                    positions.contains { position in
                        let place = Double(turn * 192_000 + position)
                        return low < place && place <= high
                    }
                }
                if isIn { expected += 1 }
            }
            #expect(found == expected && found > 0, "steps of \(step)")
        }
    }

    @Test("At a weak attack what rises has the source's phase, and what sounds through it goes on")
    func weakAttack() {
        let low = TestSound.sine(0.004, frames: 200_000)
        let place = 60_000
        // The nearest grain is centred here, and reads the source there: from then on a frame is a frame.
        let (grain, source) = (74_816, 59_853)
        func found(_ frequency: Double, _ weak: [Int]) -> (error: Double, residual: Double) {
            let sound = low.indices.map { frame in
                frame < place ? low[frame] : low[frame] + 0.3 * Float(sin(2 * .pi * frequency * Double(frame - place)))
            }
            let output = StretchStage(left: sound, weak: weak).render(120_000, rate: 0.8).left.map(Double.init)
            let lowest = SineFit(Array(output[40_000..<72_000]), frequency: 0.004)
            let phase = SineFit(Array(output[81_000..<111_000]), frequency: frequency).phase
            let expected = frequency * Double(source + 81_000 - grain - place)
            return (abs(remainder(phase - expected, 1)), lowest.residual)
        }
        let frequencies = [0.0713, 0.0737, 0.0781]
        for frequency in frequencies {
            let tested = found(frequency, [place])
            #expect(tested.error < 0.05 && tested.residual < -55, "\(tested.error), \(tested.residual) dB")
        }
        // By itself it is by chance.
        #expect(frequencies.contains { found($0, []).error > 0.1 })
    }
}

import BarlineTime
import CKernels
import Foundation
import Testing

@testable import BarlineDSP

@Suite("Time-stretch")
struct StretchTests {
    /// Decaying noise and a tone from each of `frames` on.
    static func hits(_ frames: [Int], length: Int, decay: Double = 500) -> [Float] {
        var sound = [Float](repeating: 0, count: length)
        for (index, frame) in frames.enumerated() {
            let noise = TestSound.noise(9_000, seed: UInt64(index % 4 + 1))
            for offset in 0..<9_000 where frame + offset < length {
                let level = exp(-Double(offset) / decay)
                let tone = 0.4 * sin(2 * .pi * 0.004 * Double(offset))
                sound[frame + offset] += Float(level * (Double(noise[offset]) + tone))
            }
        }
        return sound
    }

    /// Hits of a swung bar at 120, as source frames: on the eighths, every other one late.
    static let swung = (0..<16).map { $0 * 12_000 + ($0 % 2 == 1 ? 2_000 : 0) }
    static let rates = [0.5, 0.7, 0.8, 0.85, 1.1, 1.25, 1.5, 2]

    @Test("At the source's own rate it is copied, bit for bit, loops and marks or not")
    func copies() {
        let left = TestSound.noise(50_000, seed: 1)
        let right = TestSound.noise(50_000, seed: 2)
        let marks = StretchStage.cuts([0, 9_000, 20_011, 40_000], fresh: 0)
        for (loops, marks) in [(false, []), (true, marks), (false, marks)] {
            let stage = StretchStage(left: left, right: right, marks: marks, loops: loops)
            let output = stage.render(120_000, rate: 1, blocks: [333])
            let expected = (0..<120_000).map { loops ? $0 % 50_000 : $0 }
            #expect(output.left == expected.map { $0 < 50_000 ? left[$0] : 0 })
            #expect(output.right == expected.map { $0 < 50_000 ? right[$0] : 0 })
        }
    }

    @Test(
        "Sliced, each attack is the source, sample for sample: up to the next one, or most of the way there",
        arguments: rates)
    func slices(rate: Double) {
        let length = 192_000
        let sound = Self.hits(Self.swung, length: length)
        let stage = StretchStage(
            left: sound, marks: StretchStage.cuts(Self.swung, fresh: 0), loops: true,
            style: StretchStyle(isSliced: true))
        let cycle = Int(Double(length) / rate)
        let output = stage.render(3 * cycle, rate: rate)
        for round in 0..<3 {
            for (index, hit) in Self.swung.enumerated() {
                let next = index + 1 < Self.swung.count ? Self.swung[index + 1] : length
                let frame = Int((Double(round * length + hit) / rate + 0.5).rounded(.down))
                let end = Int((Double(round * length + next) / rate).rounded(.down))
                // Two hops of grains lead away from the source.
                let kept = rate < 1 ? Int(0.8 * Double(next - hit)) - 2_048 : end - frame - 97
                for offset in 0..<max(0, min(kept, output.left.count - frame)) {
                    if abs(output.left[frame + offset] - sound[hit + offset]) > 1e-6 {
                        Issue.record("turn \(round), hit \(index), \(offset) frames after it")
                        return
                    }
                }
            }
        }
    }

    @Test("Sliced, an attack after a step of the rate is on its frame, and what follows a former one where it had been")
    func slicedSteps() {
        let sound = Self.hits(Self.swung, length: 192_000, decay: 4_000)
        let marks = StretchStage.cuts(Self.swung, fresh: 0)
        for rates in [(0.7, 0.9), (0.9, 0.6), (1.3, 0.8), (0.8, 1.25)] {
            let step: Int64 = 57_333
            let stage = StretchStage(left: sound, marks: marks, loops: true, style: StretchStyle(isSliced: true))
            let stepped = stage.render(
                150_000, rate: rates.0, steps: [StretchStage.Step(frame: step, rate: rates.1)])
            // The same beats at the second rate throughout.
            let position = Double(step) * rates.0
            let lead = Int((position / rates.1).rounded(.up)) + 1
            let start = position - Double(lead) * rates.1
            let always = StretchStage(left: sound, marks: marks, loops: true, style: StretchStyle(isSliced: true))
                .render(lead + 150_000 - Int(step), rate: rates.1, from: start)
            let settled = 57_333 + 4_096 + 2_048
            var next = 0.0
            for cycle in 0..<3 {
                for hit in Self.swung where next == 0 {
                    let place = Double(cycle * 192_000 + hit)
                    let heard = Double(step) + (place - position) / rates.1
                    if heard > Double(settled) { next = place }
                }
            }
            let from = Int(Double(step) + (next - position) / rates.1) + 1
            var (difference, energy) = (0.0, 0.0)
            for frame in from..<150_000 {
                let other = always.left[frame - Int(step) + lead]
                difference += pow(Double(stepped.left[frame] - other), 2)
                energy += pow(Double(other), 2)
            }
            // Grains lie on another grid, and frames are rounded otherwise.
            #expect(10 * log10(difference / energy) < -20, "\(rates): \(10 * log10(difference / energy)) dB")
        }
    }

    @Test("Silence stays silence")
    func silence() {
        let stage = StretchStage(left: [Float](repeating: 0, count: 30_000), marks: StretchStage.cuts([0, 9_000]))
        let output = stage.render(60_000, rate: 0.7)
        #expect(output.left.allSatisfy { $0 == 0 } && output.right.allSatisfy { $0 == 0 })
    }

    @Test("A constant stays the constant that it is")
    func constant() {
        let stage = StretchStage(
            left: [Float](repeating: 0.25, count: 100_000), right: [Float](repeating: -0.5, count: 100_000),
            marks: StretchStage.cuts([0]))
        let output = stage.render(60_000, rate: 0.7)
        #expect(output.left.allSatisfy { abs($0 - 0.25) < 1e-5 })
        #expect(output.right.allSatisfy { abs($0 + 0.5) < 1e-5 })
    }

    @Test("What is no number does not spread")
    func notNumbers() {
        var left = TestSound.noise(100_000, seed: 3)
        left[30_000] = .nan
        left[40_000] = .infinity
        let stage = StretchStage(left: left, right: TestSound.noise(100_000, seed: 4))
        let output = stage.render(100_000, rate: 0.8)
        #expect((output.left + output.right).allSatisfy { $0.isFinite && abs($0) < 4 })
    }

    @Test("A sine stays a sine: its level, its frequency, side bands below −60 dB", arguments: rates)
    func sines(rate: Double) {
        for frequency in [0.005, 0.0213, 0.11] {
            let stage = StretchStage(left: TestSound.sine(frequency, frames: 400_000))
            let output = stage.render(150_000, rate: rate)
            let fit = SineFit(output.left[40_000..<140_000].map(Double.init), frequency: frequency)
            #expect(abs(20 * log10(fit.amplitude)) < 0.1, "\(frequency): \(fit.amplitude)")
            #expect(fit.residual < -60, "\(frequency): \(fit.residual) dB")
        }
    }

    @Test(
        "Low notes stay sines, also lower than they were recorded: side bands below −60 dB",
        arguments: [(82.4, 0.0), (82.4, -7), (110, -12), (110, -7), (164.8, -12)], [0.8, 1.25])
    func lowNotes(note: (hertz: Double, semitones: Double), rate: Double) {
        let pace = exp2(note.semitones / 12)
        let stage = StretchStage(left: TestSound.sine(note.hertz / 48_000, frames: 400_000), pace: pace)
        let output = stage.render(150_000, rate: rate)
        let fit = SineFit(output.left[40_000..<140_000].map(Double.init), frequency: note.hertz * pace / 48_000)
        #expect(abs(20 * log10(fit.amplitude)) < 0.1, "\(fit.amplitude)")
        #expect(fit.residual < -60, "\(fit.residual) dB")
    }

    @Test("Channels keep their phases to each other", arguments: [0.8, 1.25])
    func image(rate: Double) {
        let stage = StretchStage(
            left: TestSound.sine(0.01, frames: 200_000),
            right: TestSound.sine(0.01, frames: 200_000, phase: 0.15).map { 0.3 * $0 })
        let output = stage.render(100_000, rate: rate)
        let left = SineFit(output.left[30_000..<90_000].map(Double.init), frequency: 0.01)
        let right = SineFit(output.right[30_000..<90_000].map(Double.init), frequency: 0.01)
        #expect(abs(remainder(right.phase - left.phase - 0.15, 1)) < 1e-3)
        #expect(abs(right.amplitude / left.amplitude - 0.3) < 1e-3)
    }

    @Test("Each attack is on its frame, whole, at its level, and nothing is heard before it", arguments: rates)
    func attacks(rate: Double) {
        let sound = Self.hits(Self.swung, length: 192_000)
        let stage = StretchStage(left: sound, marks: StretchStage.cuts(Self.swung, fresh: 0), loops: true)
        let frames = Int(2 * 192_000 / rate)
        let output = stage.render(frames, rate: rate, slot: 5)
        for cycle in 0..<2 {
            for (index, hit) in Self.swung.enumerated() where cycle + index > 0 {
                let frame = Int((Double(hit + cycle * 192_000) / rate + 0.5).rounded(.down))
                let lag = AttackFinder.lag(
                    of: Array(sound[hit..<hit + 800]), in: output.left, near: frame, reach: 200)
                #expect(abs(lag) <= 1, "turn \(cycle), hit \(index): \(lag)")
                let before = TestSound.decibels(output.left[frame - 960..<frame - 96].map(Double.init))
                let after = TestSound.decibels(output.left[frame..<frame + 864].map(Double.init))
                let expected = TestSound.decibels(sound[hit..<hit + 864].map(Double.init))
                let floor = TestSound.decibels(sound[max(0, hit - 2_000)..<max(1, hit)].map(Double.init))
                #expect(
                    before - after < max(-60, floor - expected + 6), "turn \(cycle), hit \(index): \(before - after)")
                #expect(abs(after - expected) < 0.5, "turn \(cycle), hit \(index): \(after - expected)")
            }
        }
    }

    @Test("A loop's cycles are the same, bit for bit, from the second on", arguments: [0.75, 1.25])
    func turns(rate: Double) {
        let drums = StretchStage(
            left: Self.hits(Self.swung, length: 192_000), marks: StretchStage.cuts(Self.swung, fresh: 0), loops: true)
        let chord = zip(TestSound.sine(0.00525, frames: 96_000), TestSound.sine(0.0101, frames: 96_000)).map {
            0.4 * ($0 + $1)
        }
        let pad = StretchStage(
            left: chord, marks: [StretchMark(position: 0, isCut: false, isRestart: true)], loops: true)
        for (stage, length) in [(drums, 192_000), (pad, 96_000)] {
            let cycle = Int(Double(length) / rate)
            let output = stage.render(5 * cycle, rate: rate, slot: 3)
            let second = output.left[cycle..<2 * cycle]
            for later in 2..<5 {
                let other = output.left[later * cycle..<(later + 1) * cycle]
                #expect(other.elementsEqual(second), "turn \(later)")
            }
        }
    }

    @Test("Around the seam of a loop a tone keeps its level and its frequency", arguments: [0.7, 0.85, 1.1, 1.25, 1.5])
    func seams(rate: Double) {
        for periods in [523, 970, 2_411] {
            let frequency = Double(periods) / 96_000
            let stage = StretchStage(
                left: TestSound.sine(frequency, frames: 96_000),
                marks: [StretchMark(position: 0, isCut: false, isRestart: true)], loops: true)
            let turn = 96_000 / rate
            let output = stage.render(Int(3.5 * turn), rate: rate).left.map(Double.init)
            for wrap in 1...3 {
                let seam = Int((Double(wrap) * turn).rounded())
                for start in stride(from: seam - 8_000, to: seam + 4_000, by: 500) {
                    let fit = SineFit(Array(output[start..<start + 2_000]), frequency: frequency)
                    #expect(
                        abs(20 * log10(fit.amplitude)) < 0.3 && fit.residual < -20,
                        "\(periods), \(start - seam) frames from wrap \(wrap): \(fit)")
                }
            }
        }
    }

    @Test("Blocks of any size give the same samples, through changes of the rate as well")
    func blocks() {
        let sound = Self.hits(Self.swung, length: 192_000)
        let stage = StretchStage(
            left: sound, right: TestSound.noise(192_000, seed: 9), marks: StretchStage.cuts(Self.swung, fresh: 0),
            loops: true)
        let steps = [
            StretchStage.Step(frame: 30_011, rate: 1.25), StretchStage.Step(frame: 70_000, rate: 1),
            StretchStage.Step(frame: 170_003, rate: 0.6), StretchStage.Step(frame: 171_000, rate: 2),
        ]
        let expected = stage.render(250_000, rate: 0.8, steps: steps)
        for sizes in [[1], [64], [4_096], [8_192], [7, 1_000, 33]] {
            #expect(stage.render(250_000, rate: 0.8, steps: steps, blocks: sizes) == expected, "\(sizes)")
        }
    }

    @Test("Debug builds, old machines and new ones give the same samples")
    func instructions() {
        let stage = StretchStage(
            left: Self.hits(Self.swung, length: 192_000), marks: StretchStage.cuts(Self.swung), loops: true)
        var outputs: [StretchStage.Output] = []
        Instructions.forEach { _ in outputs.append(stage.render(60_000, rate: 0.8)) }
        #expect(outputs.allSatisfy { $0 == outputs[0] })
    }

    @Test("After a step of the tempo, attacks are right again within 50 ms")
    func steps() {
        let sound = Self.hits(Self.swung, length: 192_000)
        let stage = StretchStage(left: sound, marks: StretchStage.cuts(Self.swung, fresh: 0), loops: true)
        for (at, from, to) in [(40_000, 1.0, 1.25), (43_123, 0.8, 1.3), (61_500, 1.25, 1.0), (50_000, 1.5, 0.75)] {
            let output = stage.render(
                200_000, rate: from, steps: [StretchStage.Step(frame: Int64(at), rate: to)])
            for (index, hit) in Self.swung.enumerated() {
                let exact = Double(at) + (Double(hit) - from * Double(at)) / to
                let frame = Int((exact + 0.5).rounded(.down))
                guard frame > at + 2_400, frame < 195_000 else { continue }
                let lag = AttackFinder.lag(of: Array(sound[hit..<hit + 800]), in: output.left, near: frame, reach: 200)
                #expect(abs(lag) <= 1, "\(from) to \(to) at \(at), hit \(index): \(lag)")
            }
        }
    }

    @Test("A source at another sample rate is heard at its own pitch")
    func pace() {
        let stage = StretchStage(left: TestSound.sine(0.01, frames: 400_000), pace: 0.91875)
        let output = stage.render(120_000, rate: 0.8)
        let fit = SineFit(output.left[40_000..<110_000].map(Double.init), frequency: 0.0091875)
        #expect(abs(20 * log10(fit.amplitude)) < 0.1)
        #expect(fit.residual < -60)
    }
}

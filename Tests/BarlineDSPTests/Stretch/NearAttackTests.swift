import Foundation
import Testing

@testable import BarlineDSP

/// Attacks that lie close to another one, to where a voice begins, or to a turn of a loop.
@Suite("Attacks close to others")
struct NearAttackTests {
    /// The level of the loudest of `frames` beside that of the attack on `hit`, in dB.
    private func level(_ output: [Float], _ frames: Range<Int>, beside hit: Int) -> Double {
        func peak(_ range: Range<Int>) -> Float { output[range].reduce(0) { max($0, abs($1)) } }
        return 20 * log10(Double(peak(frames) / peak(hit..<hit + 300)) + 1e-12)
    }

    /// The largest difference of the output from `sound`'s attack at `hit`, beside its peak.
    private func error(_ output: [Float], at frame: Int, _ sound: [Float], _ hit: Int) -> Float {
        let peak = sound[hit..<hit + 300].reduce(0) { max($0, abs($1)) }
        return (0..<300).reduce(0) { max($0, abs(output[frame + $1] - sound[hit + $1])) } / peak
    }

    private func frame(of position: Int, _ rate: Double) -> Int { Int((Double(position) / rate + 0.5).rounded(.down)) }

    @Test(
        "One that follows a turn of a loop is heard once, on its frame, and nothing before it",
        arguments: [0.5, 0.7, 0.8, 0.95], [1_100, 1_400, 2_000])
    func afterTurn(rate: Double, lead: Int) {
        let hits = [lead, lead + 24_000, lead + 48_000, lead + 72_000]
        let sound = StretchTests.hits(hits, length: 96_000, decay: 150)
        let restart = StretchMark(position: 0, isCut: false, isRestart: true)
        for style in [StretchStyle(), StretchStyle(isSliced: true)] {
            let stage = StretchStage(
                left: sound, marks: [restart] + StretchStage.cuts(hits), loops: true, style: style)
            let output = stage.render(Int(3.2 * 96_000 / rate), rate: rate).left
            for turn in 0..<3 {
                let due = frame(of: turn * 96_000 + lead, rate)
                #expect(error(output, at: due, sound, lead) < 0.01, "turn \(turn)")
                #expect(level(output, max(0, due - 1_400)..<due - 96, beside: due) < -60, "turn \(turn)")
            }
        }
    }

    @Test(
        "Sixteenths whose attacks alone are stretched have no copies before them",
        arguments: [0.75, 0.85, 0.9, 0.95, 0.98])
    func sixteenths(rate: Double) {
        let gap = 4_138
        let hits = (0..<16).map { $0 * gap }
        let sound = StretchTests.hits(hits, length: 16 * gap, decay: 120)
        let stage = StretchStage(
            left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true, style: StretchStyle(isSliced: true))
        let output = stage.render(Int(2.1 * Double(16 * gap) / rate), rate: rate).left
        for (index, hit) in hits.enumerated() {
            let due = frame(of: 16 * gap + hit, rate)
            #expect(error(output, at: due, sound, hit) < 0.01, "hit \(index)")
            #expect(level(output, due - 720..<due - 96, beside: due) < -60, "hit \(index)")
        }
    }

    @Test("One that comes before a turn of a loop is the source, sample for sample", arguments: [0.8, 1.25])
    func beforeTurn(rate: Double) {
        for distance in [3_000, 5_000, 7_500, 11_250] {
            let hits = [0, 24_000, 48_000, 96_000 - distance]
            let sound = StretchTests.hits(hits, length: 96_000, decay: 300)
            let stage = StretchStage(left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true)
            let output = stage.render(Int(2.2 * 96_000 / rate), rate: rate).left
            for turn in 0..<2 {
                let due = frame(of: turn * 96_000 + hits[3], rate)
                #expect(error(output, at: due, sound, hits[3]) < 0.01, "\(distance) before the turn")
            }
        }
    }

    @Test(
        "One right after a step of the tempo is on its frame, the source, sample for sample",
        arguments: [(1.25, 0.625), (0.8, 0.5), (0.9, 0.75), (0.7, 1.4), (0.9, 1.2)])
    func afterStep(former: Double, rate: Double) {
        let hits = [0, 24_000, 48_000, 72_000]
        let sound = StretchTests.hits(hits, length: 96_000, decay: 700)
        let exact = 24_000 / former
        for distance in [4_000, 2_400, 2_100, 1_500, 1_000, 500, 200] {
            for slot in [0, 9] {
                let step = Int64(exact) - Int64(distance)
                let stage = StretchStage(left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true)
                let steps = [StretchStage.Step(frame: step, rate: rate)]
                let output = stage.render(Int(60_000 / min(former, rate)), rate: former, steps: steps, slot: slot).left
                let due = Double(step) + (exact - Double(step)) * former / rate
                for (place, hit) in [(due, 24_000), (due + 24_000 / rate, 48_000)] {
                    let frame = Int((place + 0.5).rounded(.down))
                    #expect(error(output, at: frame, sound, hit) < 0.01, "\(distance) before, slot \(slot)")
                    #expect(level(output, frame - 300..<frame - 97, beside: frame) < -20, "\(distance) before")
                }
            }
        }
    }

    @Test(
        "After a small step of the tempo one that was computed already is whole, within half a millisecond of its frame",
        arguments: [(0.8, 0.808), (0.8, 0.792), (1.25, 1.24)])
    func afterSmallStep(former: Double, rate: Double) {
        let hits = [0, 24_000, 48_000, 72_000]
        let sound = StretchTests.hits(hits, length: 96_000, decay: 700)
        let exact = 24_000 / former
        for distance in [2_100, 1_500, 700, 200] {
            let step = Int64(exact) - Int64(distance)
            let stage = StretchStage(left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true)
            let steps = [StretchStage.Step(frame: step, rate: rate)]
            let output = stage.render(75_000, rate: former, steps: steps).left
            let due = Double(step) + (exact - Double(step)) * former / rate
            let place = Int((due + 0.5).rounded(.down))
            let lag = AttackFinder.lag(of: Array(sound[24_000..<24_800]), in: output, near: place, reach: 100)
            #expect(abs(lag) <= 24, "\(distance) before: \(lag)")
            #expect(error(output, at: place + lag, sound, 24_000) < 0.01, "\(distance) before")
            let frame = place + lag
            #expect(level(output, frame - 300..<frame - 97, beside: frame) < -20, "\(distance) before")
            let next = Int((due + 24_000 / rate + 0.5).rounded(.down))
            #expect(error(output, at: next, sound, 48_000) < 0.01, "\(distance) before: the one after it")
        }
    }

    @Test("A tone goes on through an attack that a step of the tempo moves", arguments: [(0.8, 0.5), (0.7, 1.4)])
    func toneThroughStep(former: Double, rate: Double) {
        let hits = [0, 24_000, 48_000, 72_000]
        let sound = StretchTests.hits(hits, length: 96_000, decay: 100).enumerated().map { frame, hit in
            0.2 * hit + 0.4 * Float(sin(2 * .pi * 440 / 48_000 * Double(frame)))
        }
        for distance in [3_000, 2_100, 1_500, 500] {
            let step = Int64(24_000 / former) - Int64(distance)
            let stage = StretchStage(left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true)
            let steps = [StretchStage.Step(frame: step, rate: rate)]
            let output = stage.render(Int(60_000 / min(former, rate)), rate: former, steps: steps).left
            // Two periods at a time: the phases cross over, which takes a few milliseconds before the attack and where
            // it would have been.
            let levels = stride(from: Int(step), to: Int(step) + 8_000, by: 218).map { start in
                10 * log10((0..<218).reduce(Float(1e-9)) { $0 + output[start + $1] * output[start + $1] } / 218 / 0.08)
            }
            #expect(levels.filter { $0 < -3.5 }.count <= 5, "\(distance) before: \(levels)")
            #expect(zip(levels, zip(levels.dropFirst(), levels.dropFirst(2))).allSatisfy { max($0, $1.0, $1.1) > -6 })
        }
    }

    @Test(
        "One in quick succession after another is on its frame, the source, sample for sample",
        arguments: [270, 400, 800, 1_300, 1_600, 2_000, 2_400], [0.5, 0.7, 0.85, 0.95, 1.25])
    func quickSuccession(gap: Int, rate: Double) {
        let hits = [0, 24_000, 48_000, 48_000 + gap, 72_000]
        let one = StretchTests.hits([0], length: 9_000, decay: 300)
        let alike = hits.reduce(into: [Float](repeating: 0, count: 96_000)) { sound, hit in
            for (offset, value) in one.enumerated() { sound[hit + offset] += value }
        }
        // Where what is played is faster, the second one may come within the quarter of a hop in which there is only one.
        if Double(gap) / rate < 256 { return }
        for sound in [alike, StretchTests.hits(hits, length: 96_000, decay: 300)] {
            for style in [StretchStyle(), StretchStyle(isSliced: true)] {
                let stage = StretchStage(
                    left: sound, marks: StretchStage.cuts(hits, fresh: 0), loops: true, style: style)
                let output = stage.render(Int(92_000 / rate), rate: rate, slot: 5).left
                let first = frame(of: 48_000, rate)
                let count = min(gap, Int(Double(gap) / rate)) - 96
                let played = TestSound.decibels(output[first..<first + count].map(Double.init))
                let wanted = TestSound.decibels(sound[48_000..<48_000 + count].map(Double.init))
                #expect(abs(played - wanted) < 0.5, "the first one: \(played - wanted) dB")
                #expect(error(output, at: frame(of: 48_000 + gap, rate), sound, 48_000 + gap) < 0.01)
                #expect(error(output, at: frame(of: 72_000, rate), sound, 72_000) < 0.01)
            }
        }
    }

    /// Eight notes of a sine or of seven partials, each of another pitch than the one before, that begin and end softly.
    private func notes(_ frames: Int, attack: Double, partials: Int) -> [Float] {
        [55, 55, 65.41, 49, 55, 73.42, 82.41, 49].flatMap { hertz in
            (0..<frames).map { frame in
                let level = min(1, Double(frame) / attack) * min(1, Double(frames - frame) / 240)
                let wave = (1...partials).reduce(0.0) { sum, number in
                    sum + sin(2 * .pi * hertz * Double(number * frame) / 48_000) / Double(number)
                }
                return Float(0.5 * level * wave)
            }
        }
    }

    @Test(
        "Between notes of different pitch nothing steps by more than the wave and a crossfade of a millisecond do",
        arguments: [(48.0, 7), (144.0, 1)],
        [StretchStyle(), StretchStyle(grain: .medium), StretchStyle(isSliced: true)])
    func notesThroughAttacks(note: (attack: Double, partials: Int), style: StretchStyle) {
        let frames = 26_182
        let sound = notes(frames, attack: note.attack, partials: note.partials)
        let stage = StretchStage(
            left: sound, marks: StretchStage.cuts((0..<8).map { $0 * frames }, fresh: 0), loops: true, style: style)
        func step(_ samples: [Float]) -> Float {
            zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        }
        let peak = sound.reduce(0) { max($0, abs($1)) }
        let bound = step(sound) + 2 * peak * .pi / 2 / 48
        for tempo in [60, 75, 90, 100, 115, 127, 140, 150, 160, 170, 180, 200, 219, 250, 300] {
            let rate = Double(tempo) / 110
            let output = stage.render(Int(Double(sound.count) / rate), rate: rate).left
            #expect(step(output) < bound, "at \(tempo): \(step(output)) for at most \(bound)")
        }
    }
}

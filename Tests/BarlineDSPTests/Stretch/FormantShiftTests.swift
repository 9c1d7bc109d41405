import BarlineTime
import Foundation
import Testing

@testable import BarlineDSP

@Suite("Formants")
struct FormantShiftTests {
    /// A vowel: the partials of `fundamental` Hz with the levels of resonances at `formants` Hz.
    private static func vowel(_ fundamental: Double, formants: [Double], frames: Int) -> [Float] {
        var sound = [Double](repeating: 0, count: frames)
        for partial in 1...Int(10_000 / fundamental) {
            let frequency = Double(partial) * fundamental
            let level = 0.05 * level(at: frequency, formants)
            // Phases that do not add up to a peak.
            let phase = 0.37 * Double(partial * partial)
            for frame in 0..<frames {
                sound[frame] += level * sin(2 * .pi * frequency * Double(frame) / 48_000 + phase)
            }
        }
        return sound.map(Float.init)
    }

    /// The level of resonances, of 120 Hz each, above a floor.
    private static func level(at frequency: Double, _ formants: [Double]) -> Double {
        formants.reduce(0.02) { $0 + 1 / (1 + pow((frequency - $1) / 60, 2)).squareRoot() }
    }

    /// The levels of partials in dB.
    private static func partials(_ sound: [Float], _ fundamental: Double, _ count: Int) -> [Double] {
        let samples = sound[12_000..<36_000].map(Double.init)
        return (1...count).map { partial in
            let frequency = Double(partial) * fundamental / 48_000
            return 20 * log10(SineFit(samples, frequency: frequency).amplitude + 1e-9)
        }
    }

    /// The distance of two spectra in dB, whatever their levels are.
    private static func distance(_ first: [Double], _ second: [Double]) -> Double {
        let differences = zip(first, second).map { $0 - $1 }
        let mean = differences.reduce(0, +) / Double(differences.count)
        return (differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(differences.count)).squareRoot()
    }

    private static let formants = [700.0, 1_220, 2_600, 3_500]

    @Test(
        "Formants move by the ratio, and partials stay where they are",
        arguments: [(82.0, 0.67), (82, 1.26), (110, 1.26), (110, 0.8), (200, 1.19), (200, 0.75), (320, 0.84)])
    func moves(fundamental: Double, ratio: Double) {
        var left = Self.vowel(fundamental, formants: Self.formants, frames: 48_000)
        let moved = Self.vowel(fundamental, formants: Self.formants.map { $0 * ratio }, frames: 48_000)
        let count = Int(4_200 / fundamental)
        let wanted = Self.partials(moved, fundamental, count)
        let before = Self.distance(Self.partials(left, fundamental, count), wanted)
        var right = left
        FormantShift(ratio: ratio, sampleRate: .standard).apply(left: &left, right: &right, loops: false)
        let after = Self.distance(Self.partials(left, fundamental, count), wanted)
        #expect(after < 0.65 * before && after < 5.5, "\(before) dB before, \(after) dB after")
        // Of low voices, whose partials are near each other, resonances are known best.
        if fundamental < 120 { #expect(after < 0.45 * before, "\(before) dB before, \(after) dB after") }
        let isSame = zip(left, right).allSatisfy { abs($0 - $1) < 1e-5 }
        #expect(isSame)
        // What lies between the partials stays below them.
        let samples = left[12_000..<36_000].map(Double.init)
        let between = SineFit(samples, frequency: 3.5 * fundamental / 48_000).amplitude
        let partial = SineFit(samples, frequency: 3 * fundamental / 48_000).amplitude
        #expect(between < 0.03 * partial)
    }

    @Test("It stays as loud, a loop has no seam, silence stays silence, what is no number does not spread")
    func keeps() {
        // 300 periods in 144,000 frames.
        var left = Self.vowel(100, formants: Self.formants, frames: 144_000)
        var right = left.map { 0.5 * $0 }
        let before = TestSound.decibels(left.map(Double.init)[...])
        let filter = FormantShift(ratio: 1.3, sampleRate: .standard)
        filter.apply(left: &left, right: &right, loops: true)
        #expect(abs(TestSound.decibels(left.map(Double.init)[...]) - before) < 0.5)
        for index in stride(from: 0, to: 144_000, by: 97) { #expect(abs(right[index] - 0.5 * left[index]) < 1e-5) }
        // Every period is like every other one, around the seam as well.
        for offset in 0..<480 { #expect(abs(left[offset] - left[143_520 + offset]) < 2e-3, "\(offset)") }

        var silent = [Float](repeating: 0, count: 10_000)
        var other = silent
        filter.apply(left: &silent, right: &other, loops: false)
        let isSilent = silent.allSatisfy { $0 == 0 }
        #expect(isSilent)

        var noise = TestSound.noise(20_000, seed: 3)
        noise[7_000] = .nan
        other = noise
        filter.apply(left: &noise, right: &other, loops: false)
        let isFinite = noise.allSatisfy { $0.isFinite && abs($0) < 4 }
        #expect(isFinite)
    }

    @Test("An attack stays where it is", arguments: [0.7, 1.4])
    func attacks(ratio: Double) {
        let hits = [4_000, 20_000, 33_333]
        let sound = StretchTests.hits(hits, length: 48_000)
        var (left, right) = (sound, sound)
        FormantShift(ratio: ratio, sampleRate: .standard).apply(left: &left, right: &right, loops: false)
        for hit in hits {
            // What comes before it is as short as the filter's response.
            let before = TestSound.decibels(left[hit - 1_200..<hit - 384].map(Double.init))
            let after = TestSound.decibels(left[hit..<hit + 800].map(Double.init))
            #expect(before < after - 40, "\(before - after) dB")
        }
    }
}

import Foundation
import Testing

@testable import BarlineDSP

/// Noise has no phases that go on, and is as loud as it was: cymbals, breath, rooms.
@Suite("Levels of stretched noise")
struct NoiseLevelTests {
    private static let styles = [StretchStyle(), StretchStyle(isTonal: true)]

    /// The level, in dB.
    private func level(_ sound: ArraySlice<Float>) -> Double {
        10 * log10(sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count))
    }

    @Test("Noise keeps its level at every rate", arguments: [0.5, 0.8, 1.25, 2])
    func keepsLevel(rate: Double) {
        let noise = TestSound.noise(440_000, seed: 3)
        for style in Self.styles {
            let stage = StretchStage(left: noise, right: TestSound.noise(440_000, seed: 4), style: style)
            let output = stage.render(200_000, rate: rate)
            for channel in [output.left, output.right] {
                let change = level(channel[20_000...]) - level(noise[...])
                #expect(abs(change) < 0.5, "\(style.isTonal): \(change) dB")
            }
        }
    }

    @Test("A tone beside noise has its own", arguments: [0.5, 2])
    func toneBeside(rate: Double) {
        let frequency = 440.0 / 48_000
        let tone = TestSound.sine(frequency, frames: 440_000)
        let noise = TestSound.noise(440_000, seed: 5)
        let output = StretchStage(left: zip(tone, noise).map { $0 + 0.05 * $1 }).render(200_000, rate: rate)
        let fit = SineFit(output.left[40_000..<160_000].map(Double.init), frequency: frequency)
        #expect(abs(20 * log10(fit.amplitude)) < 0.05, "\(fit.amplitude)")
    }

    @Test("What enters at an attack has its level from there on", arguments: [0.8, 1.25])
    func afterAttack(rate: Double) {
        let attack = 48_000
        let noise = TestSound.noise(240_000, seed: 6)
        let hit = noise.indices.map { $0 < attack ? 0 : noise[$0] }
        let stage = StretchStage(left: hit, marks: StretchStage.cuts([attack]))
        let output = stage.render(150_000, rate: rate)
        let place = Int((Double(attack) / rate).rounded())
        let expected = level(noise[...])
        for start in stride(from: place, to: place + 48_000, by: 2_400) {
            let change = level(output.left[start..<start + 2_400]) - expected
            #expect(abs(change) < 1, "\(start - place) frames after it: \(change) dB")
        }
    }
}

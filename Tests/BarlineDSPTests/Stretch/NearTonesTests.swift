import Foundation
import Testing

@testable import BarlineDSP

/// Notes that sound together and are near each other keep their pitches: seconds of a chord, in one channel or apart.
@Suite("Time-stretch of tones near each other")
struct NearTonesTests {
    /// A whole tone and two halves of one, which are two to three bins apart.
    private static let seconds: [(low: Double, high: Double)] = [(220, 246.94), (440, 466.16), (261.63, 293.66)]
    private static let rates = [0.5, 0.8, 1.25]
    private static let styles = [StretchStyle(), StretchStyle(isTonal: true)]

    /// How far the tone is from its level, in dB.
    private func change(of hertz: Double, in sound: [Float]) -> Double {
        20 * log10(SineFit(sound[40_000..<140_000].map(Double.init), frequency: hertz / 48_000).amplitude)
    }

    @Test("Both tones of a second are heard at their pitches", arguments: seconds, rates)
    func together(second: (low: Double, high: Double), rate: Double) {
        let low = TestSound.sine(second.low / 48_000, frames: 400_000)
        let high = TestSound.sine(second.high / 48_000, frames: 400_000, phase: 0.3)
        let output = StretchStage(left: zip(low, high).map(+)).render(150_000, rate: rate)
        for hertz in [second.low, second.high] {
            let change = change(of: hertz, in: output.left)
            #expect(abs(change) < 1.5, "\(hertz) Hz: \(change) dB")
        }
    }

    @Test("A tone on the left and one on the right are", arguments: seconds, rates)
    func apart(second: (low: Double, high: Double), rate: Double) {
        for style in Self.styles {
            let stage = StretchStage(
                left: TestSound.sine(second.low / 48_000, frames: 400_000),
                right: TestSound.sine(second.high / 48_000, frames: 400_000, phase: 0.3), style: style)
            let output = stage.render(150_000, rate: rate)
            let changes = (change(of: second.low, in: output.left), change(of: second.high, in: output.right))
            #expect(abs(changes.0) < 1.5 && abs(changes.1) < 1.5, "\(style.isTonal): \(changes) dB")
        }
    }
}

import BarlineAnalysis
import BarlineDemo
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

/// What the demo set sounds like, wherever it is heard.
@Suite("The demo set's sound")
struct DemoSoundTests {
    @Test("The drums are as loud in every scene as in any other, within 1.5 LU")
    func drums() throws {
        let loudness = try DemoSet.loops.filter { $0.track == "drums" }.map(integratedLoudness)
        #expect(loudness.count == DemoSet.sceneNames.count)
        #expect((loudness.max() ?? 0) - (loudness.min() ?? -100) <= 1.5, "\(loudness)")
    }

    /// Integrated loudness, in LUFS, of eight cycles of a loop.
    private func integratedLoudness(of loop: DemoLoop) throws -> Double {
        let rate = try #require(SampleRate(Double(loop.sampleRate)))
        let meter = try #require(LoudnessMeter(sampleRate: rate))
        let (left, right) = loop.render()
        for _ in 0..<8 { meter.add(left: left, right: right, frames: left.count) }
        return meter.integrated
    }

    @Test(
        "Half of the bass's energy lies where a laptop's speakers begin, and there it is at most 3 dB below the chords")
    func bass() {
        let chords = DemoSet.loops.filter { $0.track == "chords" }.map { power(of: $0, above: 200) }
        let quietest = chords.min() ?? .infinity
        for loop in DemoSet.loops where loop.track == "bass" {
            #expect(power(of: loop, above: 120) >= 0.5 * power(of: loop, above: 0), "\(loop.id)")
            #expect(power(of: loop, above: 200) >= quietest / 2, "\(loop.id)")
        }
    }

    /// Mean power above a frequency, in hertz, as heard at the session's tempo: through a Butterworth high-pass of the
    /// eighth order.
    private func power(of loop: DemoLoop, above hertz: Double) -> Double {
        let (left, right) = loop.render()
        var samples = zip(left, right).map { Double($0 + $1) }
        if hertz > 0 {
            let angle = 2 * Double.pi * hertz * loop.bpm / DemoSet.tempo / Double(loop.sampleRate)
            for section in 0..<4 {
                let quality = 1 / (2 * cos((2 * Double(section) + 1) * .pi / 16))
                samples = highPass(samples, angle: angle, quality: quality)
            }
        }
        return samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    }

    /// A second-order high-pass by the bilinear transform.
    private func highPass(_ samples: [Double], angle: Double, quality: Double) -> [Double] {
        let alpha = sin(angle) / (2 * quality)
        let scale = 1 / (1 + alpha)
        let edge = (1 + cos(angle)) / 2 * scale
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        return samples.map { x in
            let y = edge * (x - 2 * x1 + x2) + 2 * cos(angle) * scale * y1 - (1 - alpha) * scale * y2
            (x2, x1, y2, y1) = (x1, x, y1, y)
            return y
        }
    }

    @Test("The tour's tempos are whole semitones from the set's, so that varispeed changes its key and not its tuning")
    func tuning() {
        let tempos = DemoSession.tour.entries.compactMap { entry in
            if case .tempo(let bpm, _) = entry.action { bpm } else { nil }
        }
        #expect(tempos.count >= 2)
        for tempo in tempos {
            let semitones = 12 * log2(tempo / DemoSet.tempo)
            #expect(abs(semitones - semitones.rounded()) < 0.01, "\(tempo)")
        }
    }
}

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

    /// Mean power above a frequency, in hertz: through a Butterworth high-pass of the eighth order.
    private func power(of loop: DemoLoop, above hertz: Double) -> Double {
        let (left, right) = loop.render()
        var samples = zip(left, right).map { Double($0 + $1) }
        if hertz > 0 {
            let angle = 2 * Double.pi * hertz / Double(loop.sampleRate)
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

    @Test("At a tempo that is not its own, every loop with a pitch has the pitch that it was composed with")
    func pitch() async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        for loop in DemoSet.loops where loop.track != "drums" {
            let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
            let script = try PerformanceScript(
                text: """
                    {"at": 0, "do": "tempo", "bpm": 128}
                    {"at": 0, "do": "quantization", "value": "none"}
                    {"at": 1, "do": "launch", "clip": "\(loop.id)"}
                    """, path: "script")
            let output = OfflineRender.Output(
                path: folder.path("\(loop.id).wav"), eventsPath: folder.path("events"))
            let beat = 60.0 / 128 * 48_000
            _ = try OfflineRender(
                player, script: script, frames: Int64(Double(2 * loop.beats + 6) * beat), blockFrames: 4_096,
                output: output
            ).run()
            let started = try JSONLines.events(try folder.text("events"), of: "clipStarted")
            let start = Double(try #require(started.first?.integer("frame")))
            let heard = try WaveContents(path: folder.path("\(loop.id).wav")).channels
            let composed = loop.render()
            let places = (0..<2 * loop.beats).map { Double($0) / 2 + 0.25 }
            let own = places.map { Double(composed.left.count) * $0 / Double(loop.beats) }
            let cents = distance(
                spectrum(
                    heard[0], heard[1], at: places.map { start + ($0 + Double(loop.beats)) * beat }, rate: 48_000),
                spectrum(composed.left, composed.right, at: own, rate: Double(loop.sampleRate)))
            #expect(abs(cents) < 5, "\(loop.id): \(cents) cents")
        }
    }

    /// In cents.
    private static let step = 5.0

    /// How many cents a spectrum lies above another one: where the two are most alike.
    private func distance(_ one: [Double], _ other: [Double]) -> Double {
        let reach = 60
        let alike = (-reach...reach).map { lag in
            (reach..<one.count - reach).reduce(0) { $0 + one[$1 + lag] * other[$1] }
        }
        guard let best = alike.indices.dropFirst().dropLast().max(by: { alike[$0] < alike[$1] }) else {
            return .infinity
        }
        // The top of the parabola through the three there.
        let (low, top, high) = (alike[best - 1], alike[best], alike[best + 1])
        return Self.step * (Double(best - reach) + 0.5 * (low - high) / (low - 2 * top + high))
    }

    /// The spectrum from 50 to 1,500 Hz, in steps of so many cents, on average of the 300 ms around each of some frames
    /// of a sound that goes round.
    private func spectrum(_ left: [Float], _ right: [Float], at frames: [Double], rate: Double) -> [Double] {
        var sums = [Double](repeating: 0, count: Int(1200 * log2(30) / Self.step))
        // Eight frames are added to one: nothing from 3 kHz on matters.
        let count = Int(0.3 * rate / 8)
        for frame in frames {
            let first = Int(frame) - 4 * count + left.count
            let sound = (0..<count).map { index -> Double in
                let sum = (0..<8).reduce(0.0) { sum, offset in
                    let place = (first + 8 * index + offset) % left.count
                    return sum + Double(left[place] + right[place])
                }
                return sum * (0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(count)))
            }
            for index in sums.indices {
                let hertz = 50 * exp2(Self.step * Double(index) / 1200)
                sums[index] += max(0, power(of: sound, turns: hertz * 8 / rate)).squareRoot()
            }
        }
        return sums
    }

    /// The power of a sound at a frequency, in turns a sample, by Goertzel's recursion.
    private func power(of sound: [Double], turns: Double) -> Double {
        let factor = 2 * cos(2 * .pi * turns)
        var (last, before) = (0.0, 0.0)
        for sample in sound { (last, before) = (sample + factor * last - before, last) }
        return last * last + before * before - factor * last * before
    }
}

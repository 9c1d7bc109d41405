@testable import BarlineDSP
import BarlineTime
import Foundation
import Testing

@Suite("Varispeed of the best quality")
struct BestVarispeedTests {
    private static let rates = [0.125, 0.5, 0.918_75, 0.999, 1.001, 1.07, 1.5, 2, 2.7, 4]

    @Test(
        "A tone up to 0.9 of the Nyquist frequency, above rate 1 up to 0.87, is where its position says, to below −140 dB",
        arguments: rates)
    func tone(rate: Double) {
        for relative in [0.02, 0.2, 0.5, 0.8, rate > 1 ? 0.87 : 0.9] {
            let error = BestVarispeedTests.error(frequency: relative * 0.5 / max(1, rate), rate: rate)
            #expect(error < -140, "\(relative) of Nyquist")
        }
    }

    @Test("Above four times its rate a tone up to 0.8 of the Nyquist frequency is", arguments: [4.3, 5.7, 8])
    func fastTone(rate: Double) {
        for relative in [0.02, 0.2, 0.5, 0.8] {
            let error = BestVarispeedTests.error(frequency: relative * 0.5 / rate, rate: rate)
            #expect(error < -140, "\(relative) of Nyquist")
        }
    }

    @Test(
        "Of a tone above the output's Nyquist frequency by a seventh nothing is left above −140 dB",
        arguments: [1.5, 2, 2.7, 4])
    func alias(rate: Double) {
        for relative in [8.0 / 7, 1.25, 1.4] where relative / rate < 0.98 {
            let buffer = BestVarispeedTests.sine(relative * 0.5 / rate)
            let region = TestSound.region(buffer, loops: false)
            let output = TestSound.read(region, from: 2_000.3, rate: rate, count: 4_000, quality: .best)
            #expect(TestSound.decibels((output.left + output.right).map(Double.init)) < -140, "\(relative) of Nyquist")
        }
    }

    @Test("Through a change of rate a tone stays where its position says")
    func ramp() {
        let frequency = 0.15
        let buffer = BestVarispeedTests.sine(frequency)
        let region = TestSound.region(buffer, loops: false)
        let reader = VarispeedReader(quality: .best)
        var position = SourcePosition(2_000.0)
        let errors = (0..<4_000).map { frame in
            let rate = 1.0 + Double(frame) / 2_500
            let sample = reader.frame(of: region, at: position, filter: reader.filter(rate: rate)).left
            let exact = Double(position.whole) + Double(position.fraction) * 0x1p-64
            position = position.advanced(by: SourcePosition(rate), times: 1)
            return Double(sample) - sin(2 * .pi * frequency * exact)
        }
        #expect(TestSound.decibels(errors) < -140)
    }

    @Test("Whole positions are the source's frames, bit for bit, also where others lie between them")
    func whole() {
        let left = TestSound.noise(2_000, seed: 8)
        let buffer = SampleBuffer(left: left, right: left.reversed(), sampleRate: .standard)
        let region = TestSound.region(buffer, loops: false)
        let output = TestSound.read(region, from: 500, rate: 0.5, count: 1_000, quality: .best)
        for frame in 0..<500 {
            #expect(output.left[2 * frame] == left[500 + frame])
            #expect(output.right[2 * frame] == left[1_999 - 500 - frame])
        }
    }

    @Test(
        "Samples depend neither on the block size nor on how the wrap of a loop is prepared",
        arguments: [0.7, 1.3, 6.1])
    func blocks(rate: Double) {
        let noise = TestSound.noise(3_240, seed: 9)
        let buffer = SampleBuffer(left: noise, right: noise.reversed(), sampleRate: .standard)
        let plain = SourceRegion(
            left: buffer.left, right: buffer.right, length: 3_000, framesBefore: 0, framesAfter: 0, loops: true,
            seamLeft: buffer.left + 3_000, seamRight: buffer.right + 3_000, seamLength: 240)
        var prepared = plain
        let wrap = LoopWrap(of: plain)
        defer { wrap.deallocate() }
        prepared.wrap = wrap
        let whole = TestSound.read(plain, from: 0.3, rate: rate, count: 9_000, quality: .best)
        for region in [plain, prepared] {
            let pieces = TestSound.read(region, from: 0.3, rate: rate, count: 9_000, piece: 61, quality: .best)
            #expect(pieces.left == whole.left)
            #expect(pieces.right == whole.right)
        }
    }

    /// A sine on the left and a cosine on the right.
    private static func sine(_ frequency: Double) -> SampleBuffer {
        SampleBuffer(
            left: TestSound.sine(frequency, frames: 40_000),
            right: TestSound.sine(frequency, frames: 40_000, phase: 0.25),
            sampleRate: .standard)
    }

    /// How far a tone that is read is from the tone at its positions, in dB.
    private static func error(frequency: Double, rate: Double) -> Double {
        let region = sine(frequency)
        let output = TestSound.read(
            TestSound.region(region, loops: false), from: 2_000.25, rate: rate, count: 4_000, quality: .best)
        return TestSound.decibels(
            (0..<4_000).flatMap { frame in
                let angle = 2 * Double.pi * frequency * (2_000.25 + Double(frame) * rate)
                return [Double(output.left[frame]) - sin(angle), Double(output.right[frame]) - cos(angle)]
            })
    }
}

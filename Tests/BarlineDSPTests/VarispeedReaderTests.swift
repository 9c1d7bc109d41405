@testable import BarlineDSP
import BarlineTime
import Foundation
import Testing

@Suite("Varispeed reader")
struct VarispeedReaderTests {
    @Test(
        "At rate 1 and whole positions the source is copied bit for bit, round the seam too",
        arguments: [1, 2, 3, 10, 63, 64, 65, 5_000])
    func copy(length: Int) {
        let left = TestSound.noise(length + 40, seed: 1)
        let right = TestSound.noise(length + 40, seed: 2)
        let buffer = SampleBuffer(left: left, right: right, sampleRate: .standard)
        let region = TestSound.region(buffer, 20..<20 + length, loops: true)
        for start in [0, 1, length - 1, 7 * length + 3, -2] {
            let output = TestSound.read(region, from: Double(start), rate: 1, count: 700)
            for frame in 0..<700 {
                let index = 20 + ((start + frame) % length + length) % length
                #expect(output.left[frame] == left[index])
                #expect(output.right[frame] == right[index])
            }
        }
    }

    @Test("Frames that would be copied are found where they lie, unless a wrap, a seam or silence is among them")
    func frames() {
        let buffer = SampleBuffer(
            left: TestSound.noise(1_000, seed: 5), right: TestSound.noise(1_000, seed: 6), sampleRate: .standard)
        let reader = VarispeedReader()
        let one = SourcePosition(1.0)
        for loops in [false, true] {
            let region = SourceRegion(
                left: buffer.left + 100, right: buffer.right + 100, length: 500, framesBefore: 100, framesAfter: 400,
                loops: loops, seamLeft: buffer.left + 700, seamRight: buffer.right + 700, seamLength: loops ? 50 : 0)
            for start in stride(from: -250, through: 1_100, by: 7) {
                for count in [1, 64, 200] {
                    let first = loops ? (start % 500 + 500) % 500 : start
                    // In a loop the last 50 frames are the seam, which lies elsewhere.
                    let base = loops && first >= 450 ? 700 - 450 : 100
                    let isWhole =
                        loops ? first + count <= (first < 450 ? 450 : 500) : first >= -100 && first + count <= 900
                    let found = reader.frames(of: region, at: SourcePosition(Double(start)), step: one, count: count)
                    #expect(found?.left == (isWhole ? UnsafePointer(buffer.left + base + first) : nil))
                    #expect(found?.right == (isWhole ? UnsafePointer(buffer.right + base + first) : nil))
                }
            }
            #expect(reader.frames(of: region, at: SourcePosition(10.5), step: one, count: 8) == nil)
            #expect(reader.frames(of: region, at: SourcePosition(10.0), step: SourcePosition(0.5), count: 8) == nil)
        }
    }

    @Test(
        "Frames prepared around the wrap give the same samples, bit for bit",
        arguments: [1, 2, 63, 300, 900, 5_000], [0.4, 1.07, 2.9, 8])
    func preparedWrap(length: Int, rate: Double) {
        let seamLength = min(length, 240)
        let noise = TestSound.noise(length + seamLength, seed: 3)
        let buffer = SampleBuffer(left: noise, right: noise.reversed(), sampleRate: .standard)
        let plain = SourceRegion(
            left: buffer.left, right: buffer.right, length: length, framesBefore: 0, framesAfter: 0, loops: true,
            seamLeft: buffer.left + length, seamRight: buffer.right + length, seamLength: seamLength)
        var prepared = plain
        let wrap = LoopWrap(of: plain)
        defer { wrap.deallocate() }
        prepared.wrap = wrap
        let count = 3 * max(length, 400)
        let expected = TestSound.read(plain, from: 0.3, rate: rate, count: count)
        let actual = TestSound.read(prepared, from: 0.3, rate: rate, count: count)
        #expect(actual.left == expected.left)
        #expect(actual.right == expected.right)
    }

    @Test(
        "With midpoints a tone up to 0.9 of the Nyquist frequency is where its position says, to below −100 dB",
        arguments: [0.125, 0.3, 0.5, 0.918_75, 0.999, 1])
    func toneWithMidpoints(rate: Double) {
        for relative in [0.02, 0.2, 0.5, 0.8, 0.9] {
            let frequency = relative * 0.5
            let buffer = SampleBuffer(
                left: TestSound.sine(frequency, frames: 20_000),
                right: TestSound.sine(frequency, frames: 20_000, phase: 0.25), sampleRate: .standard)
            var region = TestSound.region(buffer, loops: false)
            let midpoints = Midpoints(of: buffer, frames: 0..<20_000)
            defer { midpoints.deallocate() }
            region.midpoints = midpoints
            let output = TestSound.read(region, from: 2_000.3, rate: rate, count: 4_000)
            let errors = (0..<4_000).map { frame in
                let angle = 2 * Double.pi * frequency * (2_000.3 + Double(frame) * rate)
                return max(
                    abs(Double(output.left[frame]) - sin(angle)), abs(Double(output.right[frame]) - cos(angle)))
            }
            #expect(TestSound.decibels(errors) < -100, "\(relative) of Nyquist")
        }
    }

    @Test("A steady rate is read by one cutoff, less than a sixteenth of an octave below it, or a sixty-fourth above")
    func steady() {
        let kernel = VarispeedKernel.shared
        for rate in stride(from: 0.1, through: 8, by: 0.013) {
            let filter = kernel.steadyFilter(rate: rate)
            #expect(filter.blend == 0)
            #expect((-1.0 / 64 - 0.001..<1.0 / 16).contains(log2(filter.lower.pointee.ratio / max(1, rate))))
        }
    }

    @Test(
        "A tone is where its position says, at every rate, to below −95 dB",
        arguments: [0.125, 0.3, 0.5, 0.918_75, 0.999, 1.001, 1.06, 1.5, 2, 3.3, 5.7, 8])
    func tone(rate: Double) {
        let nyquist = 0.5 / max(1, rate)
        for relative in [0.02, 0.2, 0.5, 0.8] {
            let frequency = relative * nyquist
            let buffer = SampleBuffer(
                left: TestSound.sine(frequency, frames: 40_000),
                right: TestSound.sine(frequency, frames: 40_000, phase: 0.25), sampleRate: .standard)
            let region = TestSound.region(buffer, loops: false)
            let output = TestSound.read(region, from: 2_000.3, rate: rate, count: 4_000)
            let errors = (0..<4_000).map { frame in
                let angle = 2 * Double.pi * frequency * (2_000.3 + Double(frame) * rate)
                return max(
                    abs(Double(output.left[frame]) - sin(angle)), abs(Double(output.right[frame]) - cos(angle)))
            }
            #expect(TestSound.decibels(errors) < -95, "\(relative) of Nyquist")
        }
    }

    @Test(
        "What lies above the output's Nyquist frequency is below −95 dB", arguments: [1.2, 1.37, 1.5, 2, 2.9, 4, 6, 8])
    func alias(rate: Double) {
        for relative in [1.15, 1.3, 1.7] where relative * 0.5 / rate < 0.49 {
            let samples = TestSound.sine(relative * 0.5 / rate, frames: 40_000)
            let buffer = SampleBuffer(left: samples, sampleRate: .standard)
            let output = TestSound.read(TestSound.region(buffer, loops: false), from: 2_000.3, rate: rate, count: 3_000)
            #expect(TestSound.decibels(output.left.map(Double.init)) < -95, "\(relative) of Nyquist")
        }
    }

    @Test("A constant stays what it is at every rate and phase")
    func constant() {
        let buffer = SampleBuffer(left: [Float](repeating: 0.5, count: 777), sampleRate: .standard)
        let region = TestSound.region(buffer, loops: true)
        for rate in stride(from: 0.13, through: 8, by: 0.37) {
            let output = TestSound.read(region, from: 0.123, rate: rate, count: 500)
            #expect(output.left.allSatisfy { abs($0 - 0.5) < 1e-6 })
        }
    }

    @Test("A loop reads like the same loop written out many times", arguments: [0.37, 0.97, 1.06, 2.5, 7.9])
    func wrap(rate: Double) {
        let cycle = TestSound.noise(391, seed: 3)
        let loop = SampleBuffer(left: cycle, sampleRate: .standard)
        let written = SampleBuffer(
            left: Array((0..<40).map { _ in cycle }.joined()), sampleRate: .standard)
        let looped = TestSound.read(TestSound.region(loop, loops: true), from: 391 * 5 + 0.4, rate: rate, count: 1_200)
        let straight = TestSound.read(
            TestSound.region(written, loops: false), from: 391 * 5 + 0.4, rate: rate, count: 1_200)
        #expect(looped.left == straight.left)
    }

    @Test("Reading is a function of the position: cut anywhere, the samples are the same", arguments: [0.7, 1, 1.31])
    func pieces(rate: Double) {
        let buffer = SampleBuffer(
            left: TestSound.noise(1_000, seed: 4), right: TestSound.noise(1_000, seed: 5), sampleRate: .standard)
        let region = TestSound.region(buffer, loops: true)
        let whole = TestSound.read(region, from: 0.25, rate: rate, count: 4_000)
        for piece in [1, 17, 64, 999] {
            let cut = TestSound.read(region, from: 0.25, rate: rate, count: 4_000, piece: piece)
            #expect(cut.left == whole.left)
            #expect(cut.right == whole.right)
        }
    }

    @Test("Where a region plays once, the file goes on beside it, and beyond the file is silence")
    func edges() {
        let samples = TestSound.noise(300, seed: 6)
        let buffer = SampleBuffer(left: samples, sampleRate: .standard)
        let region = TestSound.region(buffer, 100..<200, loops: false)
        let output = TestSound.read(region, from: -150, rate: 1, count: 500)
        for frame in 0..<500 {
            let index = frame - 50
            #expect(output.left[frame] == (samples.indices.contains(index) ? samples[index] : 0))
        }
    }

    @Test("Mono and stereo of the same samples are the same")
    func mono() {
        let samples = TestSound.noise(500, seed: 7)
        let single = SampleBuffer(left: samples, sampleRate: .standard)
        let double = SampleBuffer(left: samples, right: samples, sampleRate: .standard)
        let one = TestSound.read(TestSound.region(single, loops: true), from: 0.1, rate: 1.23, count: 900)
        let two = TestSound.read(TestSound.region(double, loops: true), from: 0.1, rate: 1.23, count: 900)
        #expect(one.left == two.left)
        #expect(one.right == two.right)
    }

    @Test("The response changes smoothly with the rate, through every tabulated cutoff")
    func smooth() {
        let buffer = SampleBuffer(left: TestSound.noise(4_000, seed: 8), sampleRate: .standard)
        let region = TestSound.region(buffer, loops: true)
        let reader = VarispeedReader()
        let position = SourcePosition(1_234.567)
        var before = reader.frame(of: region, at: position, filter: reader.filter(rate: 0.98)).left
        for step in 1...8_000 {
            let rate = 0.98 + Double(step) * 0.001
            let sample = reader.frame(of: region, at: position, filter: reader.filter(rate: rate)).left
            #expect(abs(sample - before) < 0.01, "at rate \(rate)")
            before = sample
        }
    }
}

import BarlineDSP
import BarlineTime
import CKernels
import Testing

/// Every kernel gives the same bits as the plain loop, with every set of instructions, for every length.
@Suite("Kernels", .serialized)
struct KernelTests {
    private static let lengths = [1, 7, 8, 9, 16, 31, 64, 100, 257]

    private static func samples(_ count: Int, seed: UInt64) -> [Float] { TestSound.noise(count + 40, seed: seed) }

    @Test("The machine's instructions can be held down to those that all machines have")
    func instructions() {
        #expect(Instructions.all.contains(DSP_BASELINE))
    }

    // MARK: Varispeed

    @Test(
        "Varispeed is the sum over the frames, bit for bit",
        arguments: [0.13, 0.5, 0.93, 1, 1.07, 1.5, 2, 2.7, 4.4, 7.99, 8, 11])
    func varispeed(rate: Double) {
        for (kind, region) in Self.regions {
            for start in [-700.3, -3.9, 0.0001, 611.75, 1_499.5] {
                let step = SourcePosition(rate)
                let expected = (0..<150).map { index in
                    VarispeedReference.frame(
                        of: region, at: SourcePosition(start).advanced(by: step, times: Int64(index)), rate: rate,
                        held: Self.held)
                }
                Instructions.forEach { instructions in
                    let output = TestSound.read(region, from: start, rate: rate, count: 150, piece: 64)
                    #expect(output.left == expected.map(\.left), "\(kind) from \(start), \(instructions)")
                    #expect(output.right == expected.map(\.right), "\(kind) from \(start), \(instructions)")
                }
            }
        }
    }

    @Test("Single frames are those of a reading, whatever came before")
    func singleFrames() {
        let reader = VarispeedReader()
        for (kind, region) in Self.regions {
            for index in 0..<200 {
                let position = SourcePosition(-800.5 + 17.77 * Double(index))
                let rate = 0.3 + 0.04 * Double(index)
                let expected = VarispeedReference.frame(of: region, at: position, rate: rate, held: Self.held)
                let frame = reader.frame(of: region, at: position, filter: reader.filter(rate: rate))
                #expect(frame == expected, "\(kind) at \(position.frames)")
            }
        }
    }

    @Test("At rate 1 frames are copied through wraps, seams and the silence beyond a file")
    func copies() {
        for (kind, region) in Self.regions {
            for start in [-2_000, -240, -1, 0, 1_300, 1_499, 1_800] {
                let output = TestSound.read(region, from: Double(start), rate: 1, count: 3_400, piece: 999)
                let expected = (0..<3_400).map { region.frame(at: start + $0) }
                #expect(output.left == expected.map(\.left), "\(kind) from \(start)")
                #expect(output.right == expected.map(\.right), "\(kind) from \(start)")
            }
        }
    }

    private static let stereo = SampleBuffer(
        left: samples(2_500, seed: 1), right: samples(2_500, seed: 2), sampleRate: .standard)
    private static let mono = SampleBuffer(left: samples(2_500, seed: 3), sampleRate: .standard)
    /// What the regions' buffers have, from the regions' first frame on.
    private static let held = -300..<2_240

    /// Loops with and without a seam and a prepared wrap, one shorter than the filters, and pieces that play once.
    private static let regions: [(String, SourceRegion)] = {
        func region(_ buffer: SampleBuffer, length: Int, seam: Int, loops: Bool) -> SourceRegion {
            SourceRegion(
                left: buffer.left + 300, right: buffer.right + 300, length: length, framesBefore: 300,
                framesAfter: 200, loops: loops, seamLeft: buffer.left + 2_000, seamRight: buffer.right + 2_000,
                seamLength: seam)
        }
        var wrapped = region(stereo, length: 1_500, seam: 240, loops: true)
        wrapped.wrap = LoopWrap(of: wrapped)
        var wrappedMono = region(mono, length: 1_500, seam: 0, loops: true)
        wrappedMono.wrap = LoopWrap(of: wrappedMono)
        var short = region(stereo, length: 37, seam: 0, loops: true)
        short.wrap = LoopWrap(of: short)
        /// The same, read with midpoints at rates up to 1.
        func halved(_ region: SourceRegion, _ buffer: SampleBuffer) -> SourceRegion {
            var region = region
            region.midpoints = Midpoints(of: buffer, frames: 300..<300 + region.length)
            if region.wrap != nil { region.wrap = LoopWrap(of: region) }
            return region
        }
        return [
            ("a loop with midpoints", halved(region(stereo, length: 1_500, seam: 0, loops: true), stereo)),
            ("a loop with a seam, its wrap and midpoints", halved(wrapped, stereo)),
            ("a mono loop with midpoints", halved(wrappedMono, mono)),
            ("a short loop with midpoints", halved(short, stereo)),
            ("what plays once, with midpoints", halved(region(stereo, length: 1_500, seam: 0, loops: false), stereo)),
            (
                "what plays once in mono, with midpoints",
                halved(region(mono, length: 1_500, seam: 0, loops: false), mono)
            ),
            ("a loop", region(stereo, length: 1_500, seam: 0, loops: true)),
            ("a loop with a seam", region(stereo, length: 1_500, seam: 240, loops: true)),
            ("a loop with a seam and its wrap prepared", wrapped), ("a mono loop", wrappedMono),
            ("a short loop", region(stereo, length: 37, seam: 12, loops: true)),
            ("a short loop with its wrap prepared", short),
            ("what plays once", region(stereo, length: 1_500, seam: 0, loops: false)),
            ("what plays once in mono", region(mono, length: 1_500, seam: 0, loops: false)),
        ]
    }()

    // MARK: Mixing

    @Test("Mixing adds and multiplies sample by sample", arguments: lengths)
    func mixing(count: Int) {
        let source = Self.samples(count, seed: 4)
        let target = Self.samples(count, seed: 6)
        func check(
            _ name: String, _ kernel: (UnsafeMutablePointer<Float>) -> Void, _ expected: (Int) -> Float
        ) {
            Instructions.forEach { instructions in
                var result = target
                result.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { kernel(base) } }
                let wanted = target.indices.map { $0 < count ? expected($0) : target[$0] }
                #expect(result == wanted, "\(name), \(instructions)")
            }
        }
        check("clear", { dsp_clear($0, count) }, { _ in 0 })
        check("copy", { dsp_copy(source, $0, count) }, { source[$0] })
        check("scale", { dsp_scale($0, 0.3, count) }, { target[$0] * 0.3 })
        check("add", { dsp_add(source, $0, count) }, { target[$0] + source[$0] })
        check("write scaled", { dsp_write_scaled(source, 0.7, $0, count) }, { source[$0] * 0.7 })
        check("add scaled", { dsp_add_scaled(source, 0.7, $0, count) }, { target[$0] + source[$0] * 0.7 })
    }

    @Test(
        "A level that moves is the ramp's value at each frame",
        arguments: [0, 1, 5, 240, 96_000, 1 << 33], [-300, -4, 0, 3, 200, 95_990])
    func ramps(frames: Int64, elapsed: Int64) {
        let first = FrameTime(rawValue: 1_000 + elapsed)
        let level = Ramp(from: 0.9, to: -0.31, start: FrameTime(rawValue: 1_000), frames: frames)
        let other = Ramp(from: 0, to: 0.7, start: FrameTime(rawValue: 990), frames: 37)
        let third = Ramp(from: 1, to: 0.2, start: FrameTime(rawValue: 1_010), frames: 1_000)
        for count in Self.lengths {
            let (left, right) = (Self.samples(count, seed: 5), Self.samples(count, seed: 6))
            let target = Self.samples(count, seed: 7)
            let frames = (0..<count).map { first + Int64($0) }
            let levels = frames.map { level.value(at: $0) }
            let product = frames.map { level.value(at: $0) * other.value(at: $0) * third.value(at: $0) }
            Instructions.forEach { instructions in
                var scaled = target
                dsp_scale_along(&scaled, level.line(from: first), count)
                #expect(scaled[..<count].elementsEqual(zip(target, levels).map { $0 * $1 }), "\(instructions)")

                var sums = (target, target)
                dsp_add_along(
                    left, right, level.line(from: first), other.line(from: first), third.line(from: first), &sums.0,
                    &sums.1, count)
                let added: [[Float]] = [left, right].map { side in
                    (0..<count).map { (frame: Int) -> Float in target[frame] + side[frame] * product[frame] }
                }
                #expect(sums.0[..<count].elementsEqual(added[0]))
                #expect(sums.1[..<count].elementsEqual(added[1]))

                for isLeaving in [false, true] {
                    var sums = (target, target)
                    dsp_add_faded(left, right, level.line(from: first), isLeaving, &sums.0, &sums.1, count)
                    let shares: [Float] = levels.map { isLeaving ? 1 - $0 : $0 }
                    let mixed: [[Float]] = [left, right].map { side in
                        (0..<count).map { target[$0] + side[$0] * shares[$0] }
                    }
                    #expect(sums.0[..<count].elementsEqual(mixed[0]))
                    #expect(sums.1[..<count].elementsEqual(mixed[1]))
                }
            }
        }
    }

    @Test(
        "What mixes in one go gives the bits of scaling, measuring and adding one after the other", arguments: lengths)
    func mixingInOneGo(count: Int) {
        for gain: Float in [0, 0.37, 1, -2] {
            Instructions.forEach { instructions in
                var (samples, sum) = (Self.samples(count, seed: 13), Self.samples(count, seed: 14))
                var (scaled, total) = (samples, sum)
                dsp_scale(&scaled, gain, count)
                let expected = dsp_measure(scaled, count)
                dsp_add(scaled, &total, count)
                let level = dsp_mix(&samples, gain, &sum, count)
                #expect(samples == scaled && sum == total, "\(instructions)")
                #expect(level.peak == expected.peak && level.mean_square == expected.mean_square, "\(instructions)")
            }
        }
    }

    // MARK: Levels

    @Test("A level is the largest magnitude and the mean of the squares, summed in eight lanes", arguments: lengths)
    func level(count: Int) {
        let samples = Self.samples(count, seed: 7)
        var lanes = [Float](repeating: 0, count: 8)
        let whole = count / 8 * 8
        for index in 0..<whole { lanes[index % 8] += samples[index] * samples[index] }
        var square = lanes.reduce(0, +)
        for index in whole..<count { square += samples[index] * samples[index] }
        let peak = samples[..<count].map(\.magnitude).max()
        Instructions.forEach { instructions in
            let level = dsp_measure(samples, count)
            #expect(level.peak == peak, "\(instructions)")
            #expect(level.mean_square == square / Float(count), "\(instructions)")
        }
    }

    @Test("What is no finite number is copied as silence and is no peak", arguments: lengths)
    func finite(count: Int) {
        var samples = Self.samples(count, seed: 8)
        for (index, value) in zip(stride(from: 0, to: count, by: 3), [Float.nan, .infinity, -.infinity, 1.5, -1.5]) {
            samples[index] = value
        }
        let expected = samples[..<count].map { $0.isFinite ? $0 : 0 }
        let level: Float = 0.4
        Instructions.forEach { instructions in
            var copy = [Float](repeating: .nan, count: count)
            let high = dsp_copy_finite(samples, &copy, count)
            #expect(copy == expected, "\(instructions)")
            #expect(high == expected.map(\.magnitude).max(), "\(instructions)")
            #expect(
                dsp_count_over(samples, count) == samples[..<count].count { $0.magnitude > 1 }, "\(instructions)")
            #expect(dsp_any_above(expected, level, count) == expected.contains { $0 > level }, "\(instructions)")
        }
    }

    @Test(
        "A peak between samples is the largest of the weighted sums over each and those before it", arguments: lengths)
    func peakBetween(count: Int) {
        let (phases, taps) = (3, 12)
        let samples = Self.samples(count + taps, seed: 11)
        let weights = Self.samples(phases * taps, seed: 12)
        let sums = (0..<count).flatMap { frame in
            (0..<phases).map { row in
                var sum: Float = 0
                for tap in 0..<taps { sum += samples[frame + tap] * weights[row * taps + tap] }
                return sum.magnitude
            }
        }
        Instructions.forEach { instructions in
            let peak = samples.withUnsafeBufferPointer { samples in
                samples.baseAddress.map { dsp_peak_between($0 + (taps - 1), weights, phases, taps, count) }
            }
            #expect(peak == sums.max(), "\(instructions)")
        }
    }

    @Test("Peaks are raised to the magnitudes of the samples and of three weighted sums after each")
    func peaks() {
        let (taps, before, count) = (32, 15, 64)
        let samples = Self.samples(2 * count, seed: 9)
        let weights = Self.samples(3 * taps, seed: 10)
        let expected = (0..<count).map { frame in
            let sums = (0..<3).map { row in
                var sum: Float = 0
                for tap in 0..<taps { sum += samples[before + frame - before + tap] * weights[row * taps + tap] }
                return sum.magnitude
            }
            return max(0.1, samples[before + frame].magnitude, sums[0], sums[1], sums[2])
        }
        Instructions.forEach { instructions in
            var peaks = [Float](repeating: 0.1, count: count)
            samples.withUnsafeBufferPointer { samples in
                if let base = samples.baseAddress {
                    dsp_raise_peaks(&peaks, base + before, weights, taps, before, count)
                }
            }
            #expect(peaks == expected, "\(instructions)")
        }
    }
}

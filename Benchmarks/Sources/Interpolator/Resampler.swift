import BarlineDSP
import BarlineTime
import CSampleRate
import CSoxr

/// A stereo sound in the two layouts that resamplers read.
struct Sound {
    let interleaved: [Float]
    let planar: SampleBuffer
    /// What Barline makes of a clip when it is loaded.
    let midpoints: Midpoints

    init(left: [Float], right: [Float]) {
        interleaved = zip(left, right).flatMap { [$0, $1] }
        planar = SampleBuffer(left: left, right: right, sampleRate: .standard)
        midpoints = Midpoints(of: planar, frames: 0..<left.count)
    }

    var frames: Int { planar.frameCount }
}

/// A way to read a sound at another rate.
struct Resampler: Sendable {
    let name: String
    /// Whether the left channel is the first half of the output, not every other sample.
    let isPlanar: Bool
    /// Reads a sound at `rate` source frames an output frame into memory for `capacity` stereo frames, and returns how
    /// many were made.
    let read: @Sendable (_ sound: Sound, _ rate: Double, _ output: UnsafeMutablePointer<Float>, _ capacity: Int) -> Int

    static let all = [barline, barlineBest] + sampleRate + soxr

    /// What ratios are given to.
    static let peer = "libsamplerate medium"

    /// The left channel of `sound` at `rate`.
    func left(_ sound: Sound, _ rate: Double) -> [Float] {
        let capacity = Int(Double(sound.frames) / rate) + 64
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
        defer { output.deallocate() }
        let count = read(sound, rate, output, capacity)
        return (0..<count).map { output[isPlanar ? $0 : 2 * $0] }
    }

    private static let barline = Resampler(name: "barline", isPlanar: true) { sound, rate, output, capacity in
        barline(.live, sound, rate, output, capacity)
    }

    private static let barlineBest = Resampler(name: "barline best", isPlanar: true) { sound, rate, output, capacity in
        barline(.best, sound, rate, output, capacity)
    }

    private static func barline(
        _ quality: VarispeedQuality, _ sound: Sound, _ rate: Double, _ output: UnsafeMutablePointer<Float>,
        _ capacity: Int
    ) -> Int {
        let buffer = sound.planar
        var region = SourceRegion(left: buffer.left, right: buffer.right, length: buffer.frameCount)
        region.midpoints = sound.midpoints
        let reader = VarispeedReader(quality: quality)
        let step = SourcePosition(rate)
        let filter = reader.steadyFilter(rate: rate)
        let count = Int(Double(buffer.frameCount) / rate)
        // In blocks, as the engine does.
        for start in stride(from: 0, to: count, by: 256) {
            let position = SourcePosition(rawValue: 0).advanced(by: step, times: Int64(start))
            reader.read(
                region, from: position, step: step, filter: filter, count: min(256, count - start),
                left: output + start, right: output + capacity + start)
        }
        return count
    }

    private static let sampleRate = [
        ("best", Int32(SRC_SINC_BEST_QUALITY)), ("medium", Int32(SRC_SINC_MEDIUM_QUALITY)),
        ("fastest", Int32(SRC_SINC_FASTEST)),
    ].map { quality, converter in
        Resampler(name: "libsamplerate \(quality)", isPlanar: false) { sound, rate, output, capacity in
            sound.interleaved.withUnsafeBufferPointer { input in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.data_out = output
                data.input_frames = sound.frames
                data.output_frames = capacity
                data.src_ratio = 1 / rate
                return src_simple(&data, converter, 2) == 0 ? data.output_frames_gen : 0
            }
        }
    }

    private static let soxr = [("HQ", UInt(SOXR_HQ)), ("VHQ", UInt(SOXR_VHQ))].map { quality, recipe in
        Resampler(name: "soxr \(quality)", isPlanar: false) { sound, rate, output, capacity in
            var made = 0
            var specification = soxr_quality_spec(recipe, 0)
            _ = sound.interleaved.withUnsafeBufferPointer { input in
                soxr_oneshot(
                    rate, 1, 2, input.baseAddress, sound.frames, nil, output, capacity, &made, nil, &specification, nil)
            }
            return made
        }
    }
}

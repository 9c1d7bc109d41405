import BarlineTime
import CEBUR128
import Foundation

/// Loudness by EBU R 128 of a running stereo signal, measured off the audio thread.
public final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channelCount: Int
    private var interleaved: [Float] = []

    /// Creates a meter of one or two channels; `nil` where memory runs out.
    ///
    /// - Parameters:
    ///   - sampleRate: the signal's rate.
    ///   - channelCount: its channels.
    ///   - measuresTruePeak: whether ``truePeak`` is wanted, which takes most of the time.
    public init?(sampleRate: SampleRate, channelCount: Int = 2, measuresTruePeak: Bool = true) {
        precondition((1...2).contains(channelCount), "one or two channels are measured")
        let peak = measuresTruePeak ? EBUR128_MODE_TRUE_PEAK.rawValue : 0
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_S.rawValue | peak
        guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate.hertz.rounded()), Int32(mode)) else {
            return nil
        }
        self.state = state
        self.channelCount = channelCount
    }

    deinit { ebur128_destroy(&state) }

    /// Takes in `frames` frames; `right` is of no effect where there is one channel.
    public func add(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int) {
        if channelCount == 1 {
            _ = ebur128_add_frames_float(state, left, frames)
            return
        }
        if interleaved.count < 2 * frames { interleaved = Array(repeating: 0, count: 2 * frames) }
        interleaved.withUnsafeMutableBufferPointer { buffer in
            for frame in 0..<frames {
                buffer[2 * frame] = left[frame]
                buffer[2 * frame + 1] = right[frame]
            }
        }
        _ = ebur128_add_frames_float(state, interleaved, frames)
    }

    /// Momentary loudness (400 ms) in LUFS; minus infinity for silence.
    public var momentary: Double { read(ebur128_loudness_momentary) }
    /// Short-term loudness (3 s) in LUFS; minus infinity for silence.
    public var shortTerm: Double { read(ebur128_loudness_shortterm) }
    /// Integrated loudness since the start in LUFS; minus infinity for silence.
    public var integrated: Double { read(ebur128_loudness_global) }

    /// The highest peak so far between and on the samples, in dB relative to full scale; minus infinity for silence.
    public var truePeak: Double {
        let peaks = (0..<channelCount).map { channel in
            var peak = 0.0
            return ebur128_true_peak(state, UInt32(channel), &peak) == EBUR128_SUCCESS.rawValue ? peak : 0
        }
        return 20 * log10(peaks.reduce(0, max))
    }

    private func read(
        _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
    ) -> Double {
        var loudness = -Double.infinity
        _ = measure(state, &loudness)
        return loudness
    }
}

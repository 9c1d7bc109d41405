import BarlineTime
import CEBUR128

/// Loudness by EBU R 128 of a running stereo signal, measured off the audio thread.
public final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private var interleaved: [Float] = []

    /// Creates a meter; `nil` where memory runs out.
    public init?(sampleRate: SampleRate) {
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_S.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        guard let state = ebur128_init(2, UInt(sampleRate.hertz.rounded()), Int32(mode)) else { return nil }
        self.state = state
    }

    deinit { ebur128_destroy(&state) }

    /// Takes in `frames` frames.
    public func add(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int) {
        interleaved.removeAll(keepingCapacity: true)
        for frame in 0..<frames {
            interleaved.append(left[frame])
            interleaved.append(right[frame])
        }
        _ = ebur128_add_frames_float(state, interleaved, frames)
    }

    /// Momentary loudness (400 ms) in LUFS; minus infinity for silence.
    public var momentary: Double { read(ebur128_loudness_momentary) }
    /// Short-term loudness (3 s) in LUFS; minus infinity for silence.
    public var shortTerm: Double { read(ebur128_loudness_shortterm) }
    /// Integrated loudness since the start in LUFS; minus infinity for silence.
    public var integrated: Double { read(ebur128_loudness_global) }

    private func read(
        _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
    ) -> Double {
        var loudness = -Double.infinity
        _ = measure(state, &loudness)
        return loudness
    }
}

import BarlineTime
import CEBUR128
import CKernels
import Foundation

/// Loudness by EBU R 128 of a running stereo signal, measured off the audio thread.
///
/// Long silence costs nothing: it is counted, and measured later as far as it affects a value, with identical results.
public final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channelCount: Int
    private var interleaved: [Float]
    /// The last three seconds, where ``shortTerm`` is read of their steps.
    private var steps: LoudnessSteps?
    /// One for each channel; none where they are not wanted.
    private var peaks: [TruePeakMeter]
    /// The zeros that came last, those that were only counted included.
    private var silentFrames = 0
    /// Zeros that were only counted.
    private var countedFrames = 0
    /// So many zeros leave nothing of the sound before them in the filters and in the window of three seconds.
    private let settlingFrames: Int
    /// After so many zeros the meter is as it was before them.
    private let cycleFrames: Int

    /// Creates a meter of one or two channels; `nil` if out of memory.
    ///
    /// - Parameters:
    ///   - sampleRate: the sample rate of the signal.
    ///   - channelCount: the number of its channels.
    ///   - measuresIntegrated: whether to measure ``integrated``, which takes memory in proportion to the time; without
    ///     it ``shortTerm`` is that of the last whole 100 ms, and takes 2 MB less.
    ///   - measuresTruePeak: whether to measure ``truePeak``.
    public init?(
        sampleRate: SampleRate, channelCount: Int = 2, measuresIntegrated: Bool = true, measuresTruePeak: Bool = true
    ) {
        precondition((1...2).contains(channelCount), "one or two channels are measured")
        let mode = measuresIntegrated ? EBUR128_MODE_I.rawValue | EBUR128_MODE_S.rawValue : EBUR128_MODE_M.rawValue
        let rate = Int(sampleRate.hertz.rounded())
        guard let state = ebur128_init(UInt32(channelCount), UInt(rate), Int32(mode)) else {
            return nil
        }
        self.state = state
        self.channelCount = channelCount
        let peak = TruePeakMeter(sampleRate: sampleRate)
        peaks = Array(repeating: peak, count: measuresTruePeak ? channelCount : 0)
        settlingFrames = 10 * rate
        // libebur128 has a ring of three seconds in whole steps of 100 ms.
        let step = (rate + 5) / 10
        cycleFrames = (3 * rate + step - 1) / step * step
        steps = measuresIntegrated ? nil : LoudnessSteps(frames: step, count: cycleFrames / step)
        interleaved = Array(repeating: 0, count: channelCount == 1 ? 0 : 2 * LoudnessMeter.pieceFrames)
    }

    /// Frames that are measured at a time.
    private static let pieceFrames = 4096

    deinit { ebur128_destroy(&state) }

    /// Adds `frames` frames; `right` is ignored with one channel.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func add(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int) {
        if isSilent(left, frames), channelCount == 1 || isSilent(right, frames) {
            if isSettled {
                countedFrames += frames
            } else {
                silentFrames += frames
                measure(left, right, frames)
            }
        } else {
            measureCounted()
            silentFrames = 0
            measure(left, right, frames)
        }
    }

    /// Whether silence has left nothing of the sound before it.
    private var isSettled: Bool { silentFrames >= settlingFrames }

    private func isSilent(_ samples: UnsafePointer<Float>, _ frames: Int) -> Bool {
        frames == 0 || dsp_measure(samples, frames).peak == 0
    }

    /// Brings the meter to where it would be, had it measured what was only counted.
    private func measureCounted() {
        let frames = countedFrames % cycleFrames
        countedFrames = 0
        if frames == 0 { return }
        let zeros = [Float](repeating: 0, count: frames)
        zeros.withUnsafeBufferPointer { zeros in
            guard let zeros = zeros.baseAddress else { return }
            measure(zeros, zeros, frames)
        }
    }

    private func measure(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int) {
        var done = 0
        while done < frames {
            let count = min(frames - done, LoudnessMeter.pieceFrames, steps?.framesLeft ?? .max)
            measurePiece(left + done, right + done, count)
            done += count
        }
    }

    private func measurePiece(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int) {
        for channel in peaks.indices { peaks[channel].add(channel == 0 ? left : right, frames: frames) }
        if channelCount == 1 {
            _ = ebur128_add_frames_float(state, left, frames)
        } else {
            dsp_interleave(left, right, &interleaved, frames)
            _ = ebur128_add_frames_float(state, interleaved, frames)
        }
        guard steps?.pass(frames) == true else { return }
        steps?.end(loudness: read { ebur128_loudness_window($0, 100, $1) })
    }

    /// Momentary loudness (400 ms) in LUFS; minus infinity for silence.
    public var momentary: Double { isSettled ? -.infinity : read(ebur128_loudness_momentary) }
    /// Short-term loudness (3 s) in LUFS; minus infinity for silence.
    public var shortTerm: Double {
        isSettled ? -.infinity : steps?.loudness ?? read(ebur128_loudness_shortterm)
    }
    /// Integrated loudness since the start in LUFS; minus infinity for silence.
    public var integrated: Double { read(ebur128_loudness_global) }

    /// The integrated loudness in LUFS of what several meters were given, as if it had been one signal; minus infinity for
    /// silence.
    static func integrated(of meters: [LoudnessMeter]) -> Double {
        var states = meters.map(\.state)
        var loudness = -Double.infinity
        _ = ebur128_loudness_global_multiple(&states, states.count, &loudness)
        return loudness
    }

    /// The true peak so far, in dB relative to full scale; minus infinity for silence, and if not measured.
    ///
    /// - Complexity: O(*n*) in the channels, two at most.
    public var truePeak: Double { 20 * log10(Double(peaks.map(\.peak).max() ?? 0)) }

    private func read(
        _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
    ) -> Double {
        var loudness = -Double.infinity
        _ = measure(state, &loudness)
        return loudness
    }
}

import BarlineDSP
import BarlineTime
import Synchronization

/// The limiter of those who listen: what they hear is the mix as it was before the limiter of the outputs.
final class ListenLimiter: Sendable {
    private struct State: ~Copyable {
        var limiter = Limiter(sampleRate: .standard)
        var settings = LimiterSettings()
        var sampleRate = SampleRate.standard
        /// The frame that follows the last one that was taken in.
        var nextFrame: Int64 = .min
    }

    private let state = Mutex(State())

    /// Limits a block in place, and returns the frame of what is its first sample now.
    func limit(
        _ left: inout [Float], _ right: inout [Float], frame: Int64, sampleRate: SampleRate, _ settings: LimiterSettings
    ) -> Int64 {
        let latency = Int64(Limiter.latency(at: sampleRate))
        return state.withLock { state in
            if state.sampleRate != sampleRate {
                state.limiter.prepare(sampleRate: sampleRate)
                state.sampleRate = sampleRate
            } else if state.nextFrame != frame {
                state.limiter.reset()
            }
            if state.settings != settings {
                state.limiter.set(isOn: settings.isOn, ceiling: Float(settings.ceiling.amplitude))
                state.settings = settings
            }
            state.nextFrame = frame + Int64(left.count)
            let count = min(left.count, right.count)
            state.limiter.process(left: &left, right: &right, frames: count)
            return frame - latency
        }
    }
}

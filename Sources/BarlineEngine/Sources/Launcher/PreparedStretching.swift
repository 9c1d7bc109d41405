import BarlineDSP
import BarlineTime

/// The owner of the voices that keep the pitch of clips: 88 kB for each voice of the engine at 48 kHz.
final class PreparedStretching: @unchecked Sendable {
    let pool: UnsafeMutablePointer<StretchPool>

    init(voiceCount: Int, sampleRate: SampleRate) {
        pool = .allocate(capacity: 1)
        pool.initialize(to: StretchPool(voiceCount: voiceCount, sampleRate: sampleRate))
    }

    deinit {
        pool.deinitialize(count: 1)
        pool.deallocate()
    }
}

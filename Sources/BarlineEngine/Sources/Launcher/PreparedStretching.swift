import BarlineDSP
import BarlineTime

/// The owner of the voices that keep the pitch of clips: 88 kB for each of the engine's at 48 kHz, of which those have
/// memory that the tracks with clips can need.
final class PreparedStretching: @unchecked Sendable {
    let pool: UnsafeMutablePointer<StretchPool>
    /// The voices before this index have memory. Guarded by the control side's lock.
    private var preparedCount = 0

    /// What sounds of a track at once: a clip, what it has replaced while that fades out, a layer and the one before.
    private static let voicesPerTrack = 4
    private static let leastCount = 16

    init(voiceCount: Int, sampleRate: SampleRate) {
        pool = .allocate(capacity: 1)
        pool.initialize(to: StretchPool(reserving: voiceCount, sampleRate: sampleRate))
    }

    deinit {
        pool.deinitialize(count: 1)
        pool.deallocate()
    }

    /// Gives memory to as many voices as clips on `trackCount` tracks can need. Voices are taken from the lowest on.
    func prepare(trackCount: Int) {
        let needed = min(
            pool.pointee.voiceCount, PreparedStretching.leastCount + PreparedStretching.voicesPerTrack * trackCount)
        while preparedCount < needed {
            pool.pointee.prepare(voice: preparedCount)
            preparedCount += 1
        }
        assert(checkInvariants(), "no more voices are given memory than there are")
    }

    /// Whether the invariants hold: the voices that have memory are among those that there are.
    func checkInvariants() -> Bool { (0...pool.pointee.voiceCount).contains(preparedCount) }
}

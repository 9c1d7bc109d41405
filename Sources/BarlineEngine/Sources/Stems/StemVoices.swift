import BarlineDSP
import BarlineTime

/// The voices that keep the pitch of stems: for each place two, of which one fades out, in each of a few lanes.
///
/// A head reads in a lane of its own, so that what fades out after a seek, a wrap or a pause sounds on beside what comes.
final class StemVoices: @unchecked Sendable {
    let content: StemVoicesContent

    /// - Parameters:
    ///   - slotCount: the places for stems.
    ///   - sampleRate: the rate at which their frames are at the pitch that is to be heard.
    init(slotCount: Int, sampleRate: SampleRate) {
        let pool = UnsafeMutablePointer<StretchPool>.allocate(capacity: 1)
        pool.initialize(
            to: StretchPool(
                reserving: slotCount * StemVoicesContent.laneCount * StemVoicesContent.sideCount, sampleRate: sampleRate
            ))
        content = StemVoicesContent(pool: pool, slotCount: slotCount)
    }

    deinit {
        content.pool.deinitialize(count: 1)
        content.pool.deallocate()
    }

    /// Has the memory of a place's voices there: 0.7 MB at 48 kHz. Before a stem is in that place that they stretch.
    func prepare(slot: Int) {
        for lane in 0..<StemVoicesContent.laneCount {
            for side in 0..<StemVoicesContent.sideCount {
                content.pool.pointee.prepare(voice: content.index(slot: slot, lane: lane, side: side))
            }
        }
    }
}

/// The time-stretching voices of stems as the audio thread has them.
struct StemVoicesContent: BitwiseCopyable, @unchecked Sendable {
    let pool: UnsafeMutablePointer<StretchPool>
    let slotCount: Int

    /// Heads that can sound at once while stems are stretched. Each but one is fading out.
    static var laneCount: Int { @_noLocks get { 4 } }
    /// What is in a place, and what was there before.
    static var sideCount: Int { @_noLocks get { 2 } }

    init(pool: UnsafeMutablePointer<StretchPool>, slotCount: Int) {
        self.pool = pool
        self.slotCount = slotCount
    }

    /// The number of a voice. Stems that follow each other compute in different parts of a hop.
    @_noLocks func index(slot: Int, lane: Int, side: Int) -> Int {
        (lane * StemVoicesContent.sideCount + side) * slotCount + slot
    }

    /// Has the voices of a lane begin anew. O(n) in the places.
    @_noLocks func reset(lane: Int) {
        let first = index(slot: 0, lane: lane, side: 0)
        for voice in first..<first + StemVoicesContent.sideCount * slotCount { pool.pointee.voices[voice].reset() }
    }

    /// Has the voices of one side of a place begin anew.
    @_noLocks func reset(slot: Int, side: Int) {
        for lane in 0..<StemVoicesContent.laneCount {
            pool.pointee.voices[index(slot: slot, lane: lane, side: side)].reset()
        }
    }

    /// Has the voices of a lane decide anew, because the tempo is another from now on. O(n) in the places.
    @_noLocks func reconsider(lane: Int) {
        let first = index(slot: 0, lane: lane, side: 0)
        for voice in first..<first + StemVoicesContent.sideCount * slotCount { pool.pointee.voices[voice].reconsider() }
    }
}

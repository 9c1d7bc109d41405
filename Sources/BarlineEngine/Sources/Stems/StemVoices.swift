import BarlineDSP
import BarlineTime

/// The voices that keep the pitch of stems: two for each place, one of which fades out, in each of a few lanes.
///
/// A head reads in its own lane, so that the head that fades out after a seek, a wrap or a pause continues to sound
/// beside the new one.
final class StemVoices: @unchecked Sendable {
    let content: StemVoicesContent

    /// - Parameters:
    ///   - slotCount: the number of places for stems.
    ///   - sampleRate: the sample rate at which their frames have the intended pitch.
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

    /// Populates the memory of a place's voices: 0.7 MB at 48 kHz. To be called before a stretched stem is put there.
    func prepare(slot: Int) {
        for lane in 0..<StemVoicesContent.laneCount {
            for side in 0..<StemVoicesContent.sideCount {
                content.pool.pointee.prepare(voice: content.index(slot: slot, lane: lane, side: side))
            }
        }
    }
}

/// The time-stretching voices of stems, on the audio thread.
struct StemVoicesContent: BitwiseCopyable, @unchecked Sendable {
    let pool: UnsafeMutablePointer<StretchPool>
    let slotCount: Int

    /// The number of heads that can sound at once while stems are stretched. All but one are fading out.
    static var laneCount: Int { @_noLocks get { 4 } }
    /// The number of voices per place and lane: for the current and the former stem.
    static var sideCount: Int { @_noLocks get { 2 } }

    init(pool: UnsafeMutablePointer<StretchPool>, slotCount: Int) {
        self.pool = pool
        self.slotCount = slotCount
    }

    /// The index of a voice. Neighbouring stems compute in different parts of a hop.
    @_noLocks func index(slot: Int, lane: Int, side: Int) -> Int {
        (lane * StemVoicesContent.sideCount + side) * slotCount + slot
    }

    /// Resets the voices of a lane. O(n) in the places.
    @_noLocks func reset(lane: Int) {
        let first = index(slot: 0, lane: lane, side: 0)
        for voice in 0..<StemVoicesContent.sideCount * slotCount {
            pool.pointee.voices[first + voice].reset(place: voice % slotCount)
        }
    }

    /// Resets the voices of one side of a place.
    @_noLocks func reset(slot: Int, side: Int) {
        for lane in 0..<StemVoicesContent.laneCount {
            pool.pointee.voices[index(slot: slot, lane: lane, side: side)].reset()
        }
    }

    /// Forces the voices of a lane to replan, because the tempo changes from now on. O(n) in the places.
    @_noLocks func replan(lane: Int) {
        let first = index(slot: 0, lane: lane, side: 0)
        for voice in first..<first + StemVoicesContent.sideCount * slotCount { pool.pointee.voices[voice].replan() }
    }
}

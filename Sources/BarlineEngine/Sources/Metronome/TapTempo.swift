import BarlineTime

/// A tap tempo: the mean of the intervals between the last eight taps.
struct TapTempo: BitwiseCopyable, Sendable {
    private static var capacity: Int { @_noLocks get { 8 } }

    private var frames: SIMD8<Int64> = .zero
    private var count = 0

    @_noLocks init() {}

    /// Records a tap and returns the tempo, from the second tap on. After a pause of more than 3 s, the longest beat
    /// there is, tapping starts over.
    @_noLocks mutating func tap(at frame: FrameTime, sampleRate: SampleRate) -> Tempo? {
        if count > 0, Double(frame.rawValue - frames[count - 1]) > 3 * sampleRate.hertz { count = 0 }
        if count > 0, frames[count - 1] >= frame.rawValue { return nil }
        if count == TapTempo.capacity {
            for index in 1..<TapTempo.capacity { frames[index - 1] = frames[index] }
            count -= 1
        }
        frames[count] = frame.rawValue
        count += 1
        if count < 2 { return nil }
        let elapsed = Double(frames[count - 1] - frames[0])
        return Tempo(
            clamping: Tempo.beatsPerMinute(of: Double(count - 1), inFrames: elapsed, rate: sampleRate.hertz))
    }

    /// Whether the invariants hold: each tap is later than the one before it.
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > TapTempo.capacity { return false }
        var index = 1
        while index < count, frames[index] > frames[index - 1] { index += 1 }
        return index >= count
    }

    /// Discards the taps: at another sample rate the length of a frame changes.
    @_noLocks mutating func reset() { count = 0 }
}

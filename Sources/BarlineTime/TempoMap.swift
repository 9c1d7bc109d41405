/// The tempo over the timeline: maps beats to frames, and frames to beats.
///
/// The map is a list of segments. `frame(of:)` and `beat(at:)` are inverse to within half a frame. Memory is allocated
/// once, so that the same type serves plans made in advance and the audio thread: a map holds the latest `capacity`
/// changes and drops older ones.
///
/// ```swift
/// var map = TempoMap(tempo: .standard, sampleRate: .standard)
/// map.change(at: FrameTime(96_000), to: Tempo(clamping: 90), overBeats: 8)
/// let downbeat = map.frame(of: Beat(16))
/// ```
public struct TempoMap: ~Copyable, @unchecked Sendable {
    @usableFromInline let segments: UnsafeMutablePointer<TempoSegment>
    @usableFromInline let capacity: Int
    @usableFromInline var segmentCount = 0
    @usableFromInline var sampleRate: SampleRate

    /// Creates a map with one tempo throughout.
    ///
    /// - Parameters:
    ///   - tempo: the tempo.
    ///   - sampleRate: the engine's sample rate.
    ///   - startFrame: the frame of `startBeat`.
    ///   - startBeat: the beat at `startFrame`.
    ///   - capacity: the number of changes that the map can hold, at least 2.
    public init(
        tempo: Tempo, sampleRate: SampleRate, startFrame: FrameTime = .zero, startBeat: Beat = .zero,
        capacity: Int = 256
    ) {
        precondition(capacity >= 2, "a map holds at least two segments")
        self.capacity = capacity
        segments = .allocate(capacity: capacity)
        self.sampleRate = sampleRate
        reset(startFrame: startFrame, startBeat: startBeat, tempo: tempo)
    }

    deinit { segments.deallocate() }

    /// Drops all changes and restarts at `startFrame`.
    @_noLocks @inlinable public mutating func reset(startFrame: FrameTime, startBeat: Beat, tempo: Tempo) {
        segmentCount = 0
        append(
            TempoSegment(
                startFrame: startFrame, startBeat: startBeat, tempo: tempo, endTempo: tempo, rampBeats: 0,
                sampleRate: sampleRate))
    }

    /// Changes the tempo from `frame` on; the beat is continuous there. Changes planned for `frame` or later are
    /// replaced.
    ///
    /// - Parameters:
    ///   - frame: the frame at which the change begins.
    ///   - tempo: the new tempo.
    ///   - rampBeats: the number of quarter notes over which it is reached; 0 means at once.
    /// - Complexity: O(*n*) in the changes of tempo that the map holds.
    @_noLocks @inlinable public mutating func change(
        at frame: FrameTime, to tempo: Tempo, overBeats rampBeats: Double = 0
    ) {
        let current = segment(at: frame)
        let beat = current.beat(at: frame)
        let from = current.tempo(at: frame)
        removeSegments(from: frame)
        append(
            TempoSegment(
                startFrame: frame, startBeat: beat, tempo: from, endTempo: tempo, rampBeats: rampBeats,
                sampleRate: sampleRate))
    }

    /// Changes the sample rate from `frame` on; beat and tempo are continuous there, and a ramp in progress continues.
    ///
    /// - Complexity: O(*n*) in the changes of tempo that the map holds.
    @_noLocks @inlinable public mutating func changeSampleRate(at frame: FrameTime, to sampleRate: SampleRate) {
        let current = segment(at: frame)
        let beat = current.beat(at: frame)
        let from = current.tempo(at: frame)
        let rampLeft = current.rampBeats - (beat - current.startBeat)
        removeSegments(from: frame)
        self.sampleRate = sampleRate
        append(
            TempoSegment(
                startFrame: frame, startBeat: beat, tempo: from, endTempo: current.endTempo, rampBeats: rampLeft,
                sampleRate: sampleRate))
    }

    /// Moves the whole map by `frames`: every beat is that many frames later.
    @_noLocks @inlinable package mutating func shift(by frames: Int64) {
        for index in 0..<segmentCount {
            segments[index] = TempoSegment(segments[index], from: segments[index].startFrame + frames)
        }
    }

    /// Makes this map equal to `other`, which must not hold more changes than this one can.
    ///
    /// - Complexity: O(*n*) in the changes of `other`.
    @_noLocks @inlinable package mutating func copy(_ other: borrowing TempoMap) {
        assert(other.segmentCount <= capacity, "a map holds what it is a copy of")
        for index in 0..<other.segmentCount { segments[index] = other.segments[index] }
        segmentCount = other.segmentCount
        sampleRate = other.sampleRate
    }

    @_noLocks @inlinable mutating func removeSegments(from frame: FrameTime) {
        while segmentCount > 0, segments[segmentCount - 1].startFrame >= frame { segmentCount -= 1 }
    }

    @_noLocks @inlinable mutating func append(_ segment: TempoSegment) {
        if segmentCount == capacity {
            for index in 1..<capacity { segments[index - 1] = segments[index] }
            segmentCount -= 1
        }
        segments[segmentCount] = segment
        segmentCount += 1
    }

    // The audio thread nearly always looks up the latest segment, so that is tried before the binary search.

    /// The segment at `frame`; the first one also for the time before it.
    @_noLocks @inlinable package func segment(at frame: FrameTime) -> TempoSegment {
        var low = 0
        var high = segmentCount
        if segments[high - 1].startFrame <= frame { return segments[high - 1] }
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].startFrame <= frame { low = middle } else { high = middle }
        }
        return segments[low]
    }

    /// The segment at `beat`; the first one also for the time before it.
    @_noLocks @inlinable package func segment(at beat: Beat) -> TempoSegment {
        var low = 0
        var high = segmentCount
        if segments[high - 1].startBeat <= beat { return segments[high - 1] }
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].startBeat <= beat { low = middle } else { high = middle }
        }
        return segments[low]
    }

    /// Whether the invariants hold: segments are in order of frames and beats, and each begins on the beat that the one
    /// before has there. O(segments).
    @_noLocks package func checkInvariants() -> Bool {
        if segmentCount < 1 || segmentCount > capacity { return false }
        for index in 1..<segmentCount {
            let (former, next) = (segments[index - 1], segments[index])
            if next.startFrame <= former.startFrame || next.rampBeats < 0 { return false }
            let distance = former.beat(at: next.startFrame) - next.startBeat
            if !(distance < TempoMap.beatSlack && distance > -TempoMap.beatSlack) { return false }
        }
        return true
    }

    /// The tolerated difference between the end of a segment and the beginning of the next one, in quarter notes.
    private static var beatSlack: Double { @_noLocks get { 1e-6 } }

    /// The beat at `frame`.
    ///
    /// - Complexity: O(log *n*) in the changes of tempo that the map holds; O(1) after the last one.
    @_noLocks @inlinable public func beat(at frame: FrameTime) -> Beat { segment(at: frame).beat(at: frame) }

    /// The frame nearest to `beat`; halves round up.
    ///
    /// - Complexity: O(log *n*) in the changes of tempo that the map holds; O(1) after the last one.
    @_noLocks @inlinable public func frame(of beat: Beat) -> FrameTime { segment(at: beat).frame(of: beat) }

    /// The position of `beat` on the timeline, in frames, not rounded.
    ///
    /// - Complexity: O(log *n*) in the changes of tempo that the map holds; O(1) after the last one.
    @_noLocks @inlinable public func exactFrame(of beat: Beat) -> Double { segment(at: beat).exactFrame(of: beat) }

    /// The position of `beat` on the timeline, as precise however long the engine has run.
    @_noLocks @inlinable package func position(of beat: Beat) -> FramePosition { segment(at: beat).position(of: beat) }

    /// The beat of the first change after `beat`; infinity if there is none.
    ///
    /// - Complexity: O(*n*) in the changes.
    @_noLocks package func nextChange(after beat: Beat) -> Double {
        for index in 0..<segmentCount where segments[index].startBeat > beat {
            return segments[index].startBeat.rawValue
        }
        return .infinity
    }

    /// The tempo at `frame`.
    ///
    /// - Complexity: O(log *n*) in the changes of tempo that the map holds; O(1) after the last one.
    @_noLocks @inlinable public func tempo(at frame: FrameTime) -> Tempo { segment(at: frame).tempo(at: frame) }
}

import CRealtime

/// A segment of bars of one length.
@usableFromInline package struct MetreSegment: Hashable, Sendable, BitwiseCopyable {
    /// The first bar, counted from 0 at the grid's origin.
    @usableFromInline package let startBar: Int64
    /// The beat of that bar's line.
    @usableFromInline package let startBeat: Beat
    /// The metre from there on.
    @usableFromInline package let timeSignature: TimeSignature

    /// Creates a segment.
    @_noLocks @inlinable package init(startBar: Int64, startBeat: Beat, timeSignature: TimeSignature) {
        self.startBar = startBar
        self.startBeat = startBeat
        self.timeSignature = timeSignature
    }
}

/// A position within a bar.
public struct BarPosition: Hashable, Sendable, BitwiseCopyable {
    /// The bar, counted from 0 at the grid's origin; negative in a count-in.
    public let bar: Int64
    /// The pulse within the bar, counted from 0.
    public let pulse: Int
    /// Quarter notes since the bar's line.
    public let quartersIntoBar: Double

    /// The first pulse of bar 0.
    static let origin = BarPosition(bar: 0, pulse: 0, quartersIntoBar: 0)

    /// Creates a position.
    @_noLocks @inlinable package init(bar: Int64, pulse: Int, quartersIntoBar: Double) {
        self.bar = bar
        self.pulse = pulse
        self.quartersIntoBar = quartersIntoBar
    }
}

/// The metre over musical time: which beats are bar lines.
///
/// A change of metre takes effect on a bar line, so that every bar is complete. Memory is allocated once; the map holds
/// the latest `capacity` changes and drops older ones.
public struct MetreMap: ~Copyable, @unchecked Sendable {
    @usableFromInline let segments: UnsafeMutablePointer<MetreSegment>
    @usableFromInline var segmentCount = 0
    @usableFromInline let capacity: Int

    /// Creates a map with one metre throughout, its bar 0 at beat 0.
    public init(_ timeSignature: TimeSignature, capacity: Int = 64) {
        precondition(capacity >= 2, "a map holds at least two segments")
        self.capacity = capacity
        segments = .allocate(capacity: capacity)
        reset(to: timeSignature)
    }

    deinit { segments.deallocate() }

    /// Drops all changes and restarts with bar 0 at beat 0.
    @_noLocks @inlinable public mutating func reset(to timeSignature: TimeSignature) {
        segmentCount = 0
        append(MetreSegment(startBar: 0, startBeat: Beat(rawValue: 0), timeSignature: timeSignature))
    }

    /// Changes the metre on the first bar line at or after `beat`, and returns that line. Later changes already planned
    /// are replaced. Bars before that line, those of a count-in before bar 0 too, are as they were.
    ///
    /// - Complexity: O(*n*) in the changes of metre that the map holds.
    @_noLocks @inlinable @discardableResult
    public mutating func change(atOrAfter beat: Beat, to timeSignature: TimeSignature) -> Beat {
        while segmentCount > 1, segments[segmentCount - 1].startBeat > beat { segmentCount -= 1 }
        let bar = FrameRounding.whole(rt_ceil(bars(at: beat) - Beat.tolerance))
        let line = self.beat(ofBar: bar)
        let last = segments[segmentCount - 1].startBar
        if last > bar || last == bar && segmentCount > 1 { segmentCount -= 1 }
        append(MetreSegment(startBar: bar, startBeat: line, timeSignature: timeSignature))
        return line
    }

    /// The metre at `beat`.
    @_noLocks @inlinable public func timeSignature(at beat: Beat) -> TimeSignature {
        segment(at: beat).timeSignature
    }

    /// Bars since the grid's origin: complete bars, each counted as one whatever its length, plus the fraction of the
    /// current bar. Negative before the origin.
    @_noLocks @inlinable public func bars(at beat: Beat) -> Double {
        let segment = segment(at: beat)
        return Double(segment.startBar) + (beat - segment.startBeat) / segment.timeSignature.quartersPerBar
    }

    /// The beat of the line of `bar`.
    @_noLocks @inlinable public func beat(ofBar bar: Int64) -> Beat {
        let segment = segment(ofBar: bar)
        return segment.startBeat + (Double(bar) - Double(segment.startBar)) * segment.timeSignature.quartersPerBar
    }

    /// Bar and pulse at `beat`. A beat within a billionth before a pulse counts as on it.
    @_noLocks @inlinable public func position(at beat: Beat) -> BarPosition {
        let nudged = beat + Beat.tolerance
        let segment = segment(at: nudged)
        let signature = segment.timeSignature
        let wholeBars = rt_floor((nudged - segment.startBeat) / signature.quartersPerBar)
        let line = segment.startBeat + wholeBars * signature.quartersPerBar
        return BarPosition(
            bar: segment.startBar + FrameRounding.whole(wholeBars),
            pulse: Int(FrameRounding.whole((nudged - line) / signature.quartersPerPulse)),
            quartersIntoBar: beat - line)
    }

    /// The beat of pulse `pulse` of `bar`.
    @_noLocks @inlinable public func beat(ofBar bar: Int64, pulse: Int) -> Beat {
        let segment = segment(ofBar: bar)
        return beat(ofBar: bar) + Double(pulse) * segment.timeSignature.quartersPerPulse
    }

    @_noLocks @inlinable mutating func append(_ segment: MetreSegment) {
        if segmentCount == capacity {
            for index in 1..<capacity { segments[index - 1] = segments[index] }
            segmentCount -= 1
        }
        segments[segmentCount] = segment
        segmentCount += 1
    }

    /// Whether the invariants hold: segments are in order, and each begins on a bar line of the one before, of which
    /// only the first may have no bar but those before it.
    /// O(segments).
    @_noLocks package func checkInvariants() -> Bool {
        if segmentCount < 1 || segmentCount > capacity { return false }
        for index in 1..<segmentCount {
            let (former, next) = (segments[index - 1], segments[index])
            let bars = Double(next.startBar - former.startBar)
            let line = former.startBeat + bars * former.timeSignature.quartersPerBar
            if bars < (index == 1 ? 0 : 1) || next.startBeat - line != 0 { return false }
        }
        return true
    }

    /// The segment at `beat`.
    @_noLocks @inlinable package func segment(at beat: Beat) -> MetreSegment {
        var index = segmentCount - 1
        while index > 0, segments[index].startBeat > beat { index -= 1 }
        return segments[index]
    }

    @_noLocks @inlinable func segment(ofBar bar: Int64) -> MetreSegment {
        var index = segmentCount - 1
        while index > 0, segments[index].startBar > bar { index -= 1 }
        return segments[index]
    }
}

import BarlineTime

/// The sources that a context has, one after the other.
extension RenderContext {
    /// The sources, in the order in which they run.
    var sources: UnsafeMutablePointer<AnySource> {
        @_noLocks get { list.assumingMemoryBound(to: AnySource.self) }
    }

    /// Gives a change of the timeline to every source but the one that runs, to the mixer, and reports it. The last
    /// source comes first: where stems lead the transport they stop before clips do.
    @_noLocks mutating func give(_ retiming: Retiming) {
        var index = sourceCount - 1
        while index >= 0 {
            if index != active { _ = sources[index].answer(.retime(retiming), &self) }
            index -= 1
        }
        if case .sampleRate = retiming.change { mixer.changeSampleRate(to: retiming.to.sampleRate, at: now) }
        if let event = retiming.event { emit(event) }
    }

    /// Whether another source than the one that runs has something on the beats, so that they are not to be moved.
    var isGridShared: Bool {
        @_noLocks mutating get {
            if timeline.queuedTempoFrame.rawValue != .max { return true }
            for index in 0..<sourceCount where index != active {
                if sources[index].answer(.holdsBeats, &self) != 0 { return true }
            }
            return false
        }
    }

    /// Runs a phase of every source, in their order.
    @_noLocks mutating func run(_ phase: Phase) {
        for index in 0..<sourceCount {
            active = index
            _ = sources[index].answer(.run(phase), &self)
        }
        active = -1
    }

    /// Has the source that an action is for perform it.
    @_noLocks mutating func perform(_ action: EngineAction, at frame: FrameTime) {
        for index in 0..<sourceCount {
            active = index
            _ = sources[index].answer(.perform(action, at: frame), &self)
        }
        active = -1
    }

    /// Asks all sources when they are to run next: the frame after now at which something is due.
    @_noLocks mutating func nextWake(before limit: FrameTime) -> FrameTime {
        wakeFrame = limit
        run(.wake)
        return wakeFrame > now ? wakeFrame : now + 1
    }

    /// Whether every part agrees with itself.
    @_noLocks mutating func checkInvariants() -> Bool {
        for index in 0..<sourceCount {
            if sources[index].answer(.countFaults, &self) != 0 { return false }
        }
        return active < 0 && timeline.checkInvariants() && mixer.checkInvariants()
    }

    /// Retires what nothing reads any more, of as much as a block looks at. O(``Retirement/perBlock`` · voices).
    @_noLocks mutating func releaseRetired() {
        for _ in 0..<retirement.turns {
            let content = retirement.candidate
            if isRead(content) || !link.retired.push(UInt(bitPattern: content)) {
                retirement.keepCandidate()
            } else {
                retirement.removeCandidate()
            }
        }
    }

    @_noLocks private mutating func isRead(_ content: UnsafeRawPointer) -> Bool {
        for index in 0..<sourceCount {
            if sources[index].answer(.isReading(content), &self) != 0 { return true }
        }
        return false
    }
}

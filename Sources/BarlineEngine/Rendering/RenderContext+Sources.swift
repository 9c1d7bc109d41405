import BarlineTime

/// Dispatch to the sources of the context.
extension RenderContext {
    /// The sources, in the order in which they run.
    var sources: UnsafeMutablePointer<AnySource> {
        @_noLocks get { list.assumingMemoryBound(to: AnySource.self) }
    }

    /// Passes a change of the timeline to every source except the one that runs, and to the mixer, and reports it.
    /// Sources receive it in reverse order: where stems lead the transport they stop before clips do.
    @_noLocks mutating func give(_ retiming: Retiming) {
        var index = sourceCount - 1
        while index >= 0 {
            if index != active { _ = sources[index].answer(.retime(retiming), &self) }
            index -= 1
        }
        if case .sampleRate = retiming.change { mixer.changeSampleRate(to: retiming.to.sampleRate, at: now) }
        if let event = retiming.event { emit(event) }
    }

    /// Whether a source other than the one that runs has something on the beats, so that they must not be moved.
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

    /// Has an action performed by the source that it is for.
    @_noLocks mutating func perform(_ action: EngineAction, at frame: FrameTime) {
        for index in 0..<sourceCount {
            active = index
            _ = sources[index].answer(.perform(action, at: frame), &self)
        }
        active = -1
    }

    /// Asks all sources when they are due next: returns the next frame after now at which something is due.
    @_noLocks mutating func nextWake(before limit: FrameTime) -> FrameTime {
        wakeFrame = limit
        run(.wake)
        return wakeFrame > now ? wakeFrame : now + 1
    }

    /// Whether the invariants of every part hold.
    @_noLocks mutating func checkInvariants() -> Bool {
        for index in 0..<sourceCount {
            if sources[index].answer(.countFaults, &self) != 0 { return false }
        }
        return active < 0 && timeline.checkInvariants() && mixer.checkInvariants()
    }

    /// Retires content that nothing reads any more, checking as many entries as a block may. O(``Retirement/perBlock``
    /// · voices).
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

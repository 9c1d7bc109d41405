import BarlineTime
import CRealtime

/// Dispatch to the sources of the context.
extension RenderContext {
    /// The sources, in the order in which they run.
    var sources: UnsafeMutablePointer<AnySource> {
        @_noLocks get { list.assumingMemoryBound(to: AnySource.self) }
    }

    /// What ``RenderContext/others`` points to.
    static var othersHandler: rt_request_handler { rt_request_handler { RenderContext.answerOthers($0, $1) } }

    @_noLocks private static func answerOthers(
        _ context: UnsafeMutableRawPointer, _ request: UnsafeRawPointer
    ) -> Int {
        let context = context.assumingMemoryBound(to: RenderContext.self)
        let request = request.assumingMemoryBound(to: SourceRequest.self).pointee
        let sources = context.pointee.sources
        let active = context.pointee.active
        var sum = 0
        var index = context.pointee.sourceCount - 1
        while index >= 0 {
            if index != active { sum += sources[index].answer(request, &context.pointee) }
            index -= 1
        }
        return sum
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
            sources[index].perform(action, at: frame, &self)
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
        for _ in 0..<retirement.checksPerBlock {
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

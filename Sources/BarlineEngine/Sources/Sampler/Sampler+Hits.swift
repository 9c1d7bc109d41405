import BarlineTime

/// Hits of pads, immediate and quantised.
extension Sampler {
    /// Hits a pad at `frame`, which is now or, for a late command, before; or on the boundary of its grid.
    @_noLocks mutating func hit(
        _ pad: Int, velocity: Double, on grid: PadGrid, at frame: FrameTime, _ context: inout RenderContext
    ) {
        guard let content = pads[pad] else { return }
        let quantization: Quantization
        switch grid {
        case .own: quantization = content.pointee.quantization
        case .other(let other): quantization = other
        }
        if case .none = quantization { return start(pad, velocity: velocity, &context) }
        // There are no boundaries while the transport is stopped.
        guard context.timeline.isRolling, waitingCount < Sampler.waitingCapacity else {
            return start(pad, velocity: velocity, &context)
        }
        let point = context.timeline.launchPoint(quantization, at: frame)
        let waiting = PadHit(pad: pad, velocity: velocity, quantization: quantization, point: point.boundary)
        if point.isPast || waiting.frame(context.timeline) <= context.now {
            return start(pad, velocity: velocity, &context)
        }
        self.waiting[waitingCount] = waiting
        waitingCount += 1
    }

    /// Starts the hits that are due at this frame, or at one that the timeline has skipped.
    @_noLocks mutating func startDue(_ context: inout RenderContext) {
        var kept = 0
        for index in 0..<waitingCount {
            let hit = waiting[index]
            if hit.frame(context.timeline) <= context.now {
                start(hit.pad, velocity: hit.velocity, &context)
            } else {
                waiting[kept] = hit
                kept += 1
            }
        }
        waitingCount = kept
    }

    /// Reports when the first pending hit is due.
    @_noLocks func wakeForHits(_ context: inout RenderContext) {
        for index in 0..<waitingCount { context.wake(at: waiting[index].frame(context.timeline)) }
    }

    /// Places the pending hits on a timeline unrelated to the former one.
    @_noLocks mutating func placeHits(_ timeline: borrowing Timeline) {
        for index in 0..<waitingCount {
            let hit = waiting[index]
            waiting[index] = PadHit(
                pad: hit.pad, velocity: hit.velocity, quantization: hit.quantization,
                point: timeline.launchPoint(hit.quantization, at: timeline.now).boundary)
        }
    }

    /// Cancels the pending hits of one pad or, below 0, of all.
    @_noLocks mutating func forgetHits(of pad: Int) {
        var kept = 0
        for index in 0..<waitingCount where pad >= 0 && waiting[index].pad != pad {
            waiting[kept] = waiting[index]
            kept += 1
        }
        waitingCount = kept
    }
}

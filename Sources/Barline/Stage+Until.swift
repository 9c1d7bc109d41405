import BarlineEngine
import BarlineTime

extension Stage {
    /// The frames after which the frame of a moment is computed again.
    private static let retargetingFrames: Int64 = 256

    /// Lets time pass until `moment`: waits for it when live, renders up to it when offline, where what is requested
    /// next takes effect on that very frame.
    ///
    /// ```swift
    /// try stage.transport.start()
    /// try await stage.run(until: Bar(5))
    /// stage.transport.tempo = 160
    /// ```
    ///
    /// - Parameters:
    ///   - moment: a frame, a beat, a bar, `Bar.next`, or, when live, a host time. One that has passed is reached at
    ///     once. A stopped transport reaches no beat or bar; if it is stopped on the way, they stay where they were.
    ///   - seconds: the longest time that passes.
    /// - Returns: whether the moment was reached; not if the task was cancelled or the stage stopped before.
    /// - Throws: ``StageError/file(_:)`` if the file can't be written to.
    /// - Complexity: offline O(*n*) in the frames.
    @discardableResult
    public func run(until moment: any Moment, atMost seconds: Double = Stage.longestRun) async throws(StageError)
        -> Bool
    {
        let last = engine.now + frames(of: seconds)
        var arrival = Arrival(at: moment, on: engine)
        while !Task.isCancelled {
            if arrival.isReached(on: engine) { return true }
            let now = engine.now
            var target = arrival.target
            if case .host(let time) = arrival.due, isLive {
                target = now + engine.sampleRate.frames(seconds: time - .now)
            }
            if let target, target <= now { return true }
            // What changes on the way moves a beat: its frame is recomputed every few milliseconds.
            let step = min(target.map { $0 - now } ?? Stage.retargetingFrames, Stage.retargetingFrames, last - now)
            if step <= 0 { return false }
            try await run(frames: step)
            if engine.now < now + step { return arrival.isReached(on: engine) }
        }
        return false
    }
}

/// A moment that is waited for. What the transport did since the last look is followed by its events, so that however
/// late the next look is, a moment that was passed on the way counts as reached.
private struct Arrival {
    let due: MomentDue
    /// The frame of the moment, as far as it is known; `nil` if it has none yet.
    private(set) var target: FrameTime?
    private var follower: TimelineFollower

    init(at moment: any Moment, on engine: Engine) {
        follower = TimelineFollower(engine)
        due = follower.map.due(of: Engine.nearestMoment(to: moment))
        target = follower.map.frame(of: due)
    }

    /// Whether the moment was reached by now.
    mutating func isReached(on engine: Engine) -> Bool {
        for span in follower.advance(on: engine) {
            target = span.map.frame(of: due) ?? target
            if let target, target <= span.frames.upperBound { return true }
        }
        target = follower.map.frame(of: due) ?? target
        return target.map { $0 <= follower.next } ?? false
    }
}

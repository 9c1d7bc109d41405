import BarlineEngine
import BarlineTime

extension Stage {
    /// Lets time pass until `moment`: waits for it when live, renders up to it when offline, where what is requested next
    /// takes effect on that very frame.
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
    public func run(until moment: any Moment, atMost seconds: Double = 86_400) async throws(StageError) -> Bool {
        let last = engine.now + engine.sampleRate.frames(seconds: max(0, seconds))
        let due = transport.map.due(of: moment)
        var target: FrameTime?
        while !Task.isCancelled {
            let now = engine.now
            target = frame(of: due) ?? target
            if let target, target <= now { return true }
            // A tempo that changes on the way moves a beat: its frame is computed anew every few milliseconds.
            let step = min(target.map { $0 - now } ?? 256, 256, last - now)
            if step <= 0 { return false }
            try await run(frames: step)
            if engine.now < now + step { return false }
        }
        return false
    }

    /// The frame of `due`, as things stand; `nil` if it has none.
    private func frame(of due: MomentDue) -> FrameTime? {
        let map = transport.map
        switch due {
        case .frame(let frame): return frame
        case .beat(let beat): return map.isRolling ? map.frame(of: beat) : nil
        case .bar(let bar): return map.isRolling ? map.frame(of: Bar(Int(bar) + 1)) : nil
        case .host(let time): return isLive ? engine.now + engine.sampleRate.frames(seconds: time - .now) : nil
        case .nextBar: return nil
        }
    }
}

import BarlineEngine
import BarlineTime

extension Stage {
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
    public func run(until moment: any Moment, atMost seconds: Double = 86_400) async throws(StageError) -> Bool {
        let last = engine.now + engine.sampleRate.frames(seconds: max(0, seconds))
        var arrival = Arrival(at: moment, on: engine)
        while !Task.isCancelled {
            if arrival.isReached(on: engine) { return true }
            let now = engine.now
            var target = arrival.target
            if case .host(let time) = arrival.due, isLive {
                target = now + engine.sampleRate.frames(seconds: time - .now)
            }
            if let target, target <= now { return true }
            // What changes on the way moves a beat: its frame is computed anew every few milliseconds.
            let step = min(target.map { $0 - now } ?? 256, 256, last - now)
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
    /// The frame of the moment, as things stand; `nil` if it has none yet.
    private(set) var target: FrameTime?
    private var map: TimelineMap
    private let first: FrameTime
    private let events: EventQueue

    init(at moment: any Moment, on engine: Engine) {
        // First, so that nothing that the map does not show yet is missed.
        events = engine.events.queue()
        map = engine.transport.map
        first = map.now
        due = map.due(of: moment)
        target = frame(on: map)
    }

    /// Whether the moment was reached by now.
    mutating func isReached(on engine: Engine) -> Bool {
        let latest = engine.transport.map
        var isAhead = false
        for event in events.take() where event.frame >= first {
            guard case .transport(let change) = event.kind else { continue }
            if let target, target <= event.frame { return true }
            map = map.after(change, at: event.frame)
            target = frame(on: map) ?? target
            isAhead = event.frame >= latest.now
        }
        if !isAhead {
            map = latest
            target = frame(on: map) ?? target
        }
        return target.map { $0 <= latest.now } ?? false
    }

    private func frame(on map: TimelineMap) -> FrameTime? {
        switch due {
        case .frame(let frame): frame
        case .beat(let beat): map.isRolling ? map.frame(of: beat) : nil
        case .bar(let bar): map.isRolling ? map.frame(of: Bar(Int(bar) + 1)) : nil
        case .host, .nextBar: nil
        }
    }
}

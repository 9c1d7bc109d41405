import BarlineTime

/// The launch state of a track: what plays, what is queued and what is held, and so what starts and stops there, and on
/// which boundary. A pure value, without audio or voices.
///
/// A press or a release says what it asks for (``Intent``). Whoever performs it finds the boundary, since that may
/// start the transport, and queues the request; ``advance(to:)`` says when it is due. Each ``Step`` that is returned
/// must be performed, and ``begin(_:)`` and ``end()`` must be called with what has come of it: a start may find no free
/// voice, and a one-shot ends by itself.
struct LaunchState: BitwiseCopyable, Sendable {
    /// The intent of a press or a release.
    enum Intent: BitwiseCopyable, Hashable {
        case nothing
        case launch
        case stop
    }

    /// The next step of a track.
    enum Step: BitwiseCopyable, Hashable {
        case nothing
        /// A clip starts, in the place of what plays, its phase based on `boundary`.
        case start(clip: Int, boundary: Beat)
        /// What plays, or is recorded, stops.
        case stop(boundary: Beat)
    }

    /// The clip that plays, or −1.
    private(set) var playing = -1
    /// The held clip of launch mode `repeat`, or −1.
    private(set) var held = -1
    /// The request that waits for its boundary.
    private(set) var queue = LaunchQueue()

    @_noLocks init() {}

    // MARK: Buttons

    /// The launch button of `clip` goes down.
    @_noLocks func press(_ clip: Int, _ mode: LaunchMode) -> Intent {
        switch mode {
        case .toggle: queue.isLaunch(of: clip) || playing == clip && queue.isEmpty ? .stop : .launch
        case .trigger, .gate, .repeat: .launch
        }
    }

    /// The launch button of `clip` goes up. A repeated clip that plays is not started again.
    @_noLocks mutating func release(_ clip: Int, _ mode: LaunchMode) -> Intent {
        switch mode {
        case .gate: return queue.isLaunch(of: clip) || playing == clip ? .stop : .nothing
        case .repeat:
            if held == clip {
                held = -1
                if playing == clip, queue.isLaunch(of: clip) { queue.clear() }
            }
            return .nothing
        case .trigger, .toggle: return .nothing
        }
    }

    // MARK: Requests

    /// Queues the start of a clip for a boundary at `frame`, in the place of any other request; while it is held, it
    /// starts again on every boundary of its grid.
    @_noLocks mutating func launch(
        _ clip: Int, isHeld: Bool, at point: LaunchPoint, frame: FrameTime, now: FrameTime
    ) -> Step {
        held = isHeld ? clip : -1
        queue.set(.launch(clip: clip), at: point, frame: frame)
        return point.isPast ? takeRequest() : advance(to: now)
    }

    /// Queues a stop for a boundary at `frame`, in the place of any other request.
    @_noLocks mutating func stop(at point: LaunchPoint, frame: FrameTime, now: FrameTime) -> Step {
        cancel()
        queue.set(.stop, at: point, frame: frame)
        return point.isPast ? takeRequest() : advance(to: now)
    }

    /// Stops now, whatever is queued.
    @_noLocks mutating func stop(now beat: Beat) -> Step {
        cancel()
        return .stop(boundary: beat)
    }

    /// Drops what is queued and held; what plays plays on.
    @_noLocks mutating func cancel() {
        queue.clear()
        held = -1
    }

    /// Drops what is queued and held of a clip, which is moved to another track or removed.
    @_noLocks mutating func cancel(_ clip: Int) {
        if queue.isLaunch(of: clip) { queue.clear() }
        if held == clip { held = -1 }
    }

    /// Removes a clip: if it plays, nothing is left to stop later.
    ///
    /// - Returns: whether it plays, and must stop now.
    @_noLocks mutating func remove(_ clip: Int) -> Bool {
        cancel(clip)
        if playing != clip { return false }
        if case .stop = queue.request { queue.clear() }
        return true
    }

    // MARK: Time

    /// What is due at `now`: the queued request, if its boundary has been reached.
    @_noLocks mutating func advance(to now: FrameTime) -> Step { queue.frame <= now ? takeRequest() : .nothing }

    /// Recomputes the boundary's frame after tempo or metre changed; not before `earliest`.
    @_noLocks mutating func resolve(tempo: borrowing TempoMap, metre: borrowing MetreMap, earliest: FrameTime) {
        queue.resolve(tempo: tempo, metre: metre, earliest: earliest)
    }

    /// The clip whose next start is to be queued, because it is held down and nothing else is queued; −1 if none is.
    var repeating: Int { @_noLocks get { queue.isEmpty ? held : -1 } }

    /// Queues the next start of a clip that is held down, or of a take that plays from its end on.
    @_noLocks mutating func queueStart(of clip: Int, at point: LaunchPoint, frame: FrameTime) {
        queue.set(.launch(clip: clip), at: point, frame: frame)
    }

    @_noLocks private mutating func takeRequest() -> Step {
        let taken = queue
        queue.clear()
        switch taken.request {
        case .nothing: return .nothing
        case .launch(let clip): return .start(clip: clip, boundary: taken.beat)
        case .stop: return .stop(boundary: taken.beat)
        }
    }

    // MARK: What has happened

    /// A clip plays now.
    @_noLocks mutating func begin(_ clip: Int) { playing = clip }

    /// Nothing plays any more.
    @_noLocks mutating func end() { playing = -1 }

    /// Whether the invariants hold: only a request that waits has a frame.
    @_noLocks func checkInvariants() -> Bool { playing >= -1 && held >= -1 && queue.checkInvariants() }
}

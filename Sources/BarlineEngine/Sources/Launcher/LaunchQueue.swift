import BarlineTime

/// A track's queued launch or stop. A newer request replaces the pending one.
struct LaunchQueue: BitwiseCopyable, Sendable {
    /// The request that is pending.
    enum Request: BitwiseCopyable {
        case nothing
        case launch(clip: Int)
        case stop
    }

    var request = Request.nothing
    var boundary = GridPoint.beat(Beat(rawValue: 0))
    var beat = Beat(rawValue: 0)
    /// The frame of the boundary, or the end of time.
    var frame = FrameTime.never

    @_noLocks init() {}

    var isEmpty: Bool {
        @_noLocks get {
            if case .nothing = request { return true }
            return false
        }
    }

    /// Whether the invariants hold: without a request there is no frame.
    @_noLocks func checkInvariants() -> Bool { !isEmpty || frame.isNever }

    @_noLocks func isLaunch(of clip: Int) -> Bool {
        if case .launch(let queued) = request { return queued == clip }
        return false
    }

    @_noLocks mutating func clear() {
        request = .nothing
        frame = .never
    }

    @_noLocks mutating func set(_ request: Request, at point: LaunchPoint, frame: FrameTime) {
        self.request = request
        boundary = point.boundary
        beat = point.beat
        self.frame = frame
    }

    /// Recomputes the boundary's frame after tempo or metre changed; not before `earliest`.
    @_noLocks mutating func resolve(tempo: borrowing TempoMap, metre: borrowing MetreMap, earliest: FrameTime) {
        if isEmpty { return }
        beat = boundary.beat(in: metre)
        let resolved = tempo.frame(of: beat)
        frame = resolved < earliest ? earliest : resolved
    }
}

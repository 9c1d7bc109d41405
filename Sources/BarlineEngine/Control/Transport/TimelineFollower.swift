import BarlineTime

/// The timeline from one look to the next, followed by its events: however much happened between two looks, each frame
/// belongs to the map that was in force on it.
///
/// ```swift
/// var follower = TimelineFollower(engine)
/// for span in follower.advance(on: engine) { print(span.frames, span.map.beat(at: span.frames.lowerBound)) }
/// ```
package struct TimelineFollower {
    /// The frames from one change of the timeline to the next.
    package struct Span {
        /// The map in force on all of ``frames``.
        package let map: TimelineMap
        /// Frames that have been rendered; empty between two changes on one frame.
        package let frames: Range<FrameTime>
    }

    /// The map in force from ``next`` on, as far as is known.
    package private(set) var map: TimelineMap
    /// The first frame that was in no span yet.
    package private(set) var next: FrameTime
    private let first: FrameTime
    private let events: EventQueue

    /// Follows the timeline of `engine` from now on.
    package init(_ engine: Engine) {
        // First, so that no change is missed that the map does not show yet.
        events = engine.events.queue()
        map = engine.transport.map
        next = map.now
        first = map.now
    }

    /// The spans that were rendered since the last look, in order and without gaps.
    ///
    /// - Complexity: O(*n*) in the events since the last look.
    package mutating func advance(on engine: Engine) -> [Span] {
        let latest = engine.transport.map
        var spans: [Span] = []
        var isAhead = false
        for event in events.take() where event.frame >= first {
            guard case .transport(let change) = event.kind else { continue }
            spans.append(span(to: event.frame))
            map = map.after(change, at: event.frame)
            isAhead = event.frame >= latest.now
        }
        // Events that are later than the state say more than it. What a full queue has dropped, the state says.
        if !isAhead {
            if latest.tempo != map.tempo || latest.isRolling != map.isRolling {
                spans.append(span(to: min(latest.tempo.startFrame, latest.now)))
            }
            map = latest
        }
        if latest.now > next { spans.append(span(to: latest.now)) }
        assert(checkInvariants(), "the map is one of frames that were passed")
        return spans
    }

    /// Whether the invariants hold: the map is not one of the future.
    private func checkInvariants() -> Bool { first <= next && map.now <= next }

    /// The span under the present map that ends before `end`.
    private mutating func span(to end: FrameTime) -> Span {
        let end = max(next, end)
        defer { next = end }
        return Span(map: map, frames: next..<end)
    }
}

extension TimelineMap {
    /// The frame of a beat or a bar, `nil` while the transport is stopped; a frame is itself, and what waits for the
    /// next bar line or the host's clock has none.
    package func frame(of due: MomentDue) -> FrameTime? {
        switch due {
        case .frame(let frame): frame
        case .beat(let beat): isRolling ? frame(of: beat) : nil
        case .bar(let bar): isRolling ? frame(of: Bar(Int(bar) + 1)) : nil
        case .nextBar, .host: nil
        }
    }

    /// The frame of `moment` as things are now; `nil` where it has none.
    package func expectedFrame(of moment: any Moment) -> FrameTime? { frame(of: due(of: moment)) }

    /// Whether beats and bars are on the same frames as in `other`.
    package func agrees(with other: TimelineMap) -> Bool {
        tempo == other.tempo && metre == other.metre && laterMetre == other.laterMetre && isRolling == other.isRolling
    }

    /// The condition that `moment` waits for, the next bar being the one that is next now.
    package func due(of moment: any Moment) -> MomentDue {
        guard case .nextBar = moment.due else { return moment.due }
        let under = bar(at: now)
        return frame(of: under) >= now || !isRolling ? under.due : Bar(under.number + 1).due
    }
}

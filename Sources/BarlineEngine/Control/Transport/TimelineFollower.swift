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
        /// The map that was in force on the frame before ``frames``, where its beats go on in ``map``; `nil` elsewhere.
        let former: TimelineMap?

        /// The frame of a beat in ``frames``, each beat on one frame only; `nil` where it is before them.
        ///
        /// A beat lies up to half a frame beside its frame. Where the tempo changes meanwhile, that is more or less
        /// than half a frame under the other map: what came nearer to a frame that was passed is on the next one, and
        /// what was on one that was passed is not on the next one again.
        func frame(of beat: Beat) -> FrameTime? {
            let frame = map.frame(of: beat)
            guard let former else { return frame < frames.lowerBound ? nil : frame }
            if former.frame(of: beat) < frames.lowerBound { return nil }
            return max(frame, frames.lowerBound)
        }
    }

    /// The map in force from ``next`` on, as far as is known.
    package private(set) var map: TimelineMap
    /// The first frame that was in no span yet.
    package private(set) var next: FrameTime
    private let first: FrameTime
    /// The map that was in force on the frame before ``next``; `nil` before there was one.
    private var former: TimelineMap?
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
        let continued = former.flatMap { map.continues($0, at: next) ? $0 : nil }
        defer {
            if end > next { former = map }
            next = end
        }
        return Span(map: map, frames: next..<end, former: continued)
    }
}

extension TimelineMap {
    /// The difference up to which the beats of two maps are one.
    private static let sameBeats = 1e-6

    /// Whether the beats of another map go on in this one at `frame`.
    fileprivate func continues(_ former: TimelineMap, at frame: FrameTime) -> Bool {
        isRolling && former.isRolling
            && abs(beat(at: frame).rawValue - former.beat(at: frame).rawValue) < TimelineMap.sameBeats
    }

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

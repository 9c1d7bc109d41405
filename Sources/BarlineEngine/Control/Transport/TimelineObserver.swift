import BarlineTime

/// The interval of a periodic observer, which is called at most once per frame, so that a shorter interval means every
/// frame. An interval of 0, a negative one and NaN never fire.
public enum TimelineInterval: Hashable, Sendable {
    /// The given number of seconds of the output, above 0.
    case seconds(Double)
    /// Every multiple of the given number of quarter notes, above 0.
    case beats(Double)
    /// Every given number of bar lines, 1 or more, counted from the first.
    case bars(Int)
}

/// The argument of a timeline observer.
public struct TimelineTick: Hashable, Sendable {
    /// The exact frame.
    public let frame: FrameTime
    /// The beat at that frame; meaningless while the transport is stopped.
    public let beat: Beat
}

extension Engine.Transport {
    /// Has `body` called on every beat, bar or second, some milliseconds after it was rendered, with its exact frame.
    ///
    /// - Parameters:
    ///   - interval: how often.
    ///   - body: called on a thread of the engine's; with ``EventDelivery/manual`` within ``Engine/Events/deliver()``.
    /// - Returns: the observation, which ends when it is released.
    /// - Complexity: O(*n*) in the calls that are due, 250 times a second.
    public func observe(
        every interval: TimelineInterval, _ body: @escaping @Sendable (TimelineTick) -> Void
    ) -> EngineObservation {
        let origin = map.now
        return observe { span in
            for frame in span.frames(of: interval, origin: origin) { body(span.tick(frame)) }
        }
    }

    /// Has `body` called when each of `moments` is reached, some milliseconds after it was rendered, with its exact
    /// frame: whenever playback passes it, including repeatedly.
    ///
    /// - Parameters:
    ///   - moments: frames, beats and bars; `Bar.next` is the next one as of now, and a host time never fires.
    ///   - body: called on a thread of the engine's; with ``EventDelivery/manual`` within ``Engine/Events/deliver()``.
    /// - Returns: the observation, which ends when it is released.
    /// - Complexity: O(*n*) in the moments, 250 times a second and for every change of the timeline.
    public func observe(
        at moments: [any Moment], _ body: @escaping @Sendable (TimelineTick) -> Void
    ) -> EngineObservation {
        let map = map
        let dues = moments.map { map.due(of: Engine.nearestMoment(to: $0)) }
        return observe { span in
            for frame in dues.compactMap(span.frame).sorted() { body(span.tick(frame)) }
        }
    }

    private func observe(_ body: @escaping @Sendable (TimelineFollower.Span) -> Void) -> EngineObservation {
        let follower = ControlLock(TimelineFollower(engine))
        return engine.hub.observe { [weak engine] in
            guard let engine else { return }
            for span in follower.withLock({ $0.advance(on: engine) }) { body(span) }
        }
    }
}

extension TimelineFollower.Span {
    fileprivate func tick(_ frame: FrameTime) -> TimelineTick { TimelineTick(frame: frame, beat: map.beat(at: frame)) }

    /// The frame of a moment, if it is in the span.
    fileprivate func frame(_ due: MomentDue) -> FrameTime? {
        let frame: FrameTime?
        switch due {
        case .beat(let beat): frame = map.isRolling ? self.frame(of: beat) : nil
        case .bar(let bar): frame = map.isRolling ? self.frame(of: map.beat(of: Bar(Int(bar) + 1))) : nil
        default: frame = map.frame(of: due)
        }
        return frame.flatMap { frames.contains($0) ? $0 : nil }
    }

    /// The frames in the span on which an interval fires.
    fileprivate func frames(of interval: TimelineInterval, origin: FrameTime) -> [FrameTime] {
        switch interval {
        case .seconds(let seconds):
            guard seconds > 0 else { return [] }
            let length = max(1, min(seconds, TimelineFollower.Span.longest) * map.tempo.sampleRate.hertz)
            let first = (Double(frames.lowerBound - origin) / length).rounded(.down)
            return multiples(from: first) { origin + Int64(($0 * length).rounded()) }
        case .beats(let beats):
            guard map.isRolling, beats > 0 else { return [] }
            if beats <= beatsPerFrame {
                return (0..<frames.upperBound - frames.lowerBound).map { frames.lowerBound + $0 }
            }
            let beats = min(beats, TimelineFollower.Span.longest)
            return multiples(from: (map.beat(at: frames.lowerBound).rawValue / beats).rounded(.down)) {
                frame(of: Beat($0 * beats))
            }
        case .bars(let count):
            guard map.isRolling, count > 0 else { return [] }
            let count = min(count, Engine.barRange.upperBound)
            let bar = map.bar(at: frames.lowerBound).number - 1
            return multiples(from: (Double(bar) / Double(count)).rounded(.down)) {
                frame(of: map.beat(of: Bar(Int($0) * count + 1)))
            }
        }
    }

    /// Intervals beyond this many seconds or beats are not distinguished any more.
    private static let longest = 1e9

    /// The smallest number of beats per frame within the span.
    private var beatsPerFrame: Double {
        let first = map.tempo(at: frames.lowerBound).beatsPerMinute
        let last = map.tempo(at: frames.upperBound).beatsPerMinute
        return min(first, last) / map.tempo.framesPerMinute
    }

    private func multiples(from first: Double, _ frame: (Double) -> FrameTime?) -> [FrameTime] {
        var found: [FrameTime] = []
        var index = first
        while true {
            defer { index += 1 }
            guard let next = frame(index) else { continue }
            if next >= frames.upperBound { return found }
            if next >= frames.lowerBound, next != found.last { found.append(next) }
        }
    }
}

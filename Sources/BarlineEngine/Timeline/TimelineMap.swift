import BarlineTime

/// A snapshot of the map between frames, beats and bars: valid from the latest change of tempo on, for all future
/// frames unless the tempo or metre changes.
///
/// ```swift
/// let map = engine.transport.map
/// let downbeat = map.frame(of: Bar(17))
/// ```
public struct TimelineMap: Hashable, Sendable {
    /// The tempo: constant, or a ramp and the tempo after it.
    let tempo: TempoSegment
    /// The current metre.
    let metre: MetreSegment
    /// The metre after a scheduled change; the same as ``metre`` if there is none.
    let laterMetre: MetreSegment
    /// Whether the transport rolls; while it is stopped, beats do not advance.
    public let isRolling: Bool
    /// The next frame to render.
    package let now: FrameTime

    /// The frame nearest to `beat`.
    public func frame(of beat: Beat) -> FrameTime { tempo.frame(of: beat) }

    /// The frame of the line of `bar`.
    public func frame(of bar: Bar) -> FrameTime { frame(of: beat(of: bar)) }

    /// The beat of the line of `bar`.
    public func beat(of bar: Bar) -> Beat {
        let bar = bar.index
        let segment = bar >= laterMetre.startBar ? laterMetre : metre
        return segment.startBeat + (Double(bar) - Double(segment.startBar)) * segment.timeSignature.quartersPerBar
    }

    /// The beat at `frame`.
    public func beat(at frame: FrameTime) -> Beat { tempo.beat(at: frame) }

    /// The tempo at `frame`.
    public func tempo(at frame: FrameTime) -> Tempo { tempo.tempo(at: frame) }

    /// The bar at `frame`.
    public func bar(at frame: FrameTime) -> Bar {
        let beat = beat(at: frame)
        let segment = beat >= laterMetre.startBeat ? laterMetre : metre
        let bars = ((beat - segment.startBeat) / segment.timeSignature.quartersPerBar + Beat.tolerance).rounded(.down)
        let under = Bar(Int(segment.startBar + FrameRounding.whole(bars)) + 1)
        // A line that was rounded to this frame is on it.
        let next = Bar(under.number + 1)
        return self.frame(of: next) <= frame ? next : under
    }
}

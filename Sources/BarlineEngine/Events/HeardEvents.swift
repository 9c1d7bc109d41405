import BarlineTime

/// Holds events back until they are heard: an output plays what was rendered only after its latency.
package struct HeardEvents: Sendable {
    private var waiting: ArraySlice<EngineEvent> = []

    /// Nothing waits.
    package init() {}

    /// Takes events in, in the order in which they happened.
    package mutating func add(_ events: [EngineEvent]) { waiting += events }

    /// The events that are heard by now, in order.
    ///
    /// - Parameters:
    ///   - frame: the first frame that is not yet rendered.
    ///   - latency: how many frames later than it is rendered a frame is heard, 0 or more.
    /// - Returns: what was not taken before.
    package mutating func take(renderedTo frame: FrameTime, latency: Int64) -> [EngineEvent] {
        let heard = frame + -latency
        let count = waiting.prefix { $0.frame <= heard }.count
        defer { waiting = waiting.dropFirst(count) }
        return Array(waiting.prefix(count))
    }

    /// All that waits, whether it is heard or not: for the end of playing.
    package mutating func takeAll() -> [EngineEvent] {
        defer { waiting = [] }
        return Array(waiting)
    }
}

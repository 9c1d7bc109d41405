import BarlineTime

/// A queue that delays events until they are audible: an output plays rendered audio only after its latency.
package struct AudibleEvents: Sendable {
    private var waiting: ArraySlice<EngineEvent> = []

    /// Creates an empty queue.
    package init() {}

    /// Appends events, in the order in which they happened.
    package mutating func add(_ events: [EngineEvent]) { waiting += events }

    /// Takes the events that are audible by now, in order.
    ///
    /// - Parameters:
    ///   - frame: the next frame to render.
    ///   - latency: the number of frames from rendering a frame to hearing it, 0 or more.
    /// - Returns: the events that were not taken before.
    package mutating func take(renderedTo frame: FrameTime, latency: Int64) -> [EngineEvent] {
        let audible = frame + -latency
        let count = waiting.prefix { $0.frame <= audible }.count
        defer { waiting = waiting.dropFirst(count) }
        return Array(waiting.prefix(count))
    }

    /// Takes all events in the queue, audible or not: for the end of playback.
    package mutating func takeAll() -> [EngineEvent] {
        defer { waiting = [] }
        return Array(waiting)
    }
}

import Synchronization

/// The events of an engine as an asynchronous sequence, from its creation until the engine is gone.
///
/// Its capacity is limited: if its reader is too slow, the oldest events are dropped and counted. For one reader; any
/// number of streams may be created.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = EngineEvent
    /// The sequence never throws.
    public typealias Failure = Never
    /// The iterator of the sequence.
    public typealias AsyncIterator = AsyncStream<EngineEvent>.Iterator

    private let stream: AsyncStream<EngineEvent>
    private let queue: EventQueue
    private let drops: DropCount

    init(hub: EventHub, capacity: Int) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineEvent.self, bufferingPolicy: .bufferingNewest(Swift.max(1, capacity)))
        let queue = hub.queue(capacity: capacity)
        let drops = DropCount()
        let end = StreamEnd(continuation)
        let observation = hub.observe {
            for event in queue.take() {
                if case .dropped = end.continuation.yield(event) { drops.count.wrappingAdd(1, ordering: .relaxed) }
            }
        }
        continuation.onTermination = { _ in observation.cancel() }
        self.stream = stream
        self.queue = queue
        self.drops = drops
    }

    /// The number of events dropped because they were not read in time.
    public var droppedCount: Int { queue.droppedCount + drops.count.load(ordering: .relaxed) }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
}

/// The number of events lost by a slow reader.
private final class DropCount: Sendable {
    let count = Atomic(0)
}

/// Finishes a stream when nothing feeds it any more.
private final class StreamEnd: Sendable {
    let continuation: AsyncStream<EngineEvent>.Continuation

    init(_ continuation: AsyncStream<EngineEvent>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}

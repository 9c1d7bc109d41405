extension Engine {
    /// The events of the engine, each with its frame.
    public var events: Events { Events(hub: hub, capacity: configuration.eventCapacity) }

    /// The events of an engine, ``Engine/events``, for any number of readers: an asynchronous sequence, callbacks, and
    /// queues that are polled.
    ///
    /// ```swift
    /// for await event in engine.events {
    ///     if case .launcher(.started(let clip, _, _, _)) = event.kind { print(event.frame, clip) }
    /// }
    /// let observation = engine.events.observe { event in log(event) }
    /// ```
    ///
    /// Every reader receives all events from when it began to read. Their frames are rendered frames: they become
    /// audible later by the output's latency.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = EngineEvent
        /// The sequence never throws.
        public typealias Failure = Never
        /// The iterator of the sequence.
        public typealias AsyncIterator = EventStream.AsyncIterator

        let hub: EventHub
        let capacity: Int

        /// Starts reading events from now on.
        public func makeAsyncIterator() -> AsyncIterator { stream().makeAsyncIterator() }
    }
}

extension Engine.Events {
    /// A stream with room for `capacity` events; `nil` for ``EngineConfiguration/eventCapacity``.
    public func stream(capacity: Int? = nil) -> EventStream {
        EventStream(hub: hub, capacity: capacity ?? self.capacity)
    }

    /// A queue with room for `capacity` events; `nil` for ``EngineConfiguration/eventCapacity``.
    public func queue(capacity: Int? = nil) -> EventQueue { hub.queue(capacity: capacity ?? self.capacity) }

    /// Has `body` called with every event, in order, on a thread of the engine's, within some milliseconds; with
    /// ``EventDelivery/manual``, within ``deliver()``.
    ///
    /// - Returns: the observation, which ends when it is released.
    public func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation {
        let queue = queue()
        return hub.observe { for event in queue.take() { body(event) } }
    }

    /// Calls the callbacks and feeds the streams with new events. To be called after every block with
    /// ``EventDelivery/manual``; with a thread it only delivers sooner.
    ///
    /// - Complexity: O(*n* · *m*) in the new events and their readers.
    public func deliver() { hub.deliver() }
}

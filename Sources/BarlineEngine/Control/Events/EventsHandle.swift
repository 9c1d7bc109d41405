extension Engine {
    /// What happens, on which frame.
    public var events: Events { Events(hub: hub, capacity: configuration.eventCapacity) }

    /// The events of an engine, ``Engine/events``, for any number of readers: an asynchronous
    /// sequence, callbacks, and queues that are read when it suits.
    ///
    /// ```swift
    /// for await event in engine.events {
    ///     if case .launcher(.started(let clip, _, _, _)) = event.kind { print(event.frame, clip) }
    /// }
    /// let observation = engine.events.observe { event in log(event) }
    /// ```
    ///
    /// Every reader has all events from when it began to read. Events are those of the rendering: what is heard is
    /// later by the output's latency.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = EngineEvent
        /// It never fails.
        public typealias Failure = Never
        /// What reads the sequence.
        public typealias AsyncIterator = EventStream.AsyncIterator

        let hub: EventHub
        let capacity: Int

        /// Begins to read what happens from now on.
        public func makeAsyncIterator() -> AsyncIterator { stream().makeAsyncIterator() }
    }
}

extension Engine.Events {
    /// A sequence that holds `capacity` events for its reader; `nil` for ``EngineConfiguration/eventCapacity``.
    public func stream(capacity: Int? = nil) -> EventStream {
        EventStream(hub: hub, capacity: capacity ?? self.capacity)
    }

    /// A queue that holds `capacity` events for its reader; `nil` for ``EngineConfiguration/eventCapacity``.
    public func queue(capacity: Int? = nil) -> EventQueue { hub.queue(capacity: capacity ?? self.capacity) }

    /// Has `body` called with every event, in order, on a thread of the engine's, within some milliseconds; with
    /// ``EventDelivery/manual`` within ``deliver()``.
    ///
    /// - Returns: what ends that when it is no longer kept.
    public func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation {
        let queue = queue()
        return hub.observe { for event in queue.take() { body(event) } }
    }

    /// Calls the callbacks and feeds the sequences with what has happened. For ``EventDelivery/manual``, after every
    /// block; with a thread it does the same, sooner.
    ///
    /// - Complexity: O(*n* · *m*) in the events that have happened and those who read them.
    public func deliver() { hub.deliver() }
}

/// A callback that is called as long as this is kept, or until it is cancelled.
public final class EngineObservation: @unchecked Sendable {
    private weak var hub: EventHub?
    private let number: Int

    init(hub: EventHub, number: Int) {
        self.hub = hub
        self.number = number
    }

    deinit { cancel() }

    /// Ends it; a call that is under way on another thread is finished.
    public func cancel() { hub?.remove(task: number) }
}

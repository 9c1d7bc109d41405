/// A registered callback, which is called until this is released or cancelled.
public final class EngineObservation: @unchecked Sendable {
    private weak var hub: EventHub?
    private let number: Int

    init(hub: EventHub, number: Int) {
        self.hub = hub
        self.number = number
    }

    deinit { cancel() }

    /// Cancels the callback; a call in progress on another thread completes.
    public func cancel() { hub?.remove(task: number) }
}

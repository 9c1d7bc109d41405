/// Who calls callbacks and feeds asynchronous sequences.
public enum EventDelivery: Sendable {
    /// A thread of the engine's, 250 times a second, as long as there is a callback or a sequence.
    case thread
    /// The caller, with ``Engine/Events/deliver()``: for rendering offline, where nothing may depend on time.
    case manual
}

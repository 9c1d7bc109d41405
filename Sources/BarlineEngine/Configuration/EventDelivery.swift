/// The thread that calls callbacks and feeds event streams.
public enum EventDelivery: Sendable {
    /// A thread of the engine's, 250 times a second, as long as there is a callback or a stream.
    case thread
    /// The caller, with ``Engine/Events/deliver()``: for rendering offline, where nothing may depend on time.
    case manual
}

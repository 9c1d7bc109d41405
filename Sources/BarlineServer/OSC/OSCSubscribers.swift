import BarlineEngine
import BarlineSession
import Synchronization

/// Forwards events to UDP subscribers. Confined to one event loop.
final class OSCSubscribers: @unchecked Sendable {
    private let session: LiveSession
    private var handler: (owner: ObjectIdentifier, send: ([OSCMessage]) -> Void)?
    private var document: SessionDocument?
    private let wantedUntil = Mutex(-Double.infinity)
    /// Notified when somebody subscribes.
    let arrivals = Activity()

    init(_ session: LiveSession) { self.session = session }

    /// Whether somebody has subscribed; for any thread.
    var areThere: Bool { wantedUntil.withLock { $0 >= LiveSession.now } }

    /// Adds a subscriber for so many seconds.
    func expect(seconds: Double) {
        let end = LiveSession.now + seconds
        wantedUntil.withLock { $0 = max($0, end) }
        arrivals.note()
    }

    /// Sets who sends messages to subscribers.
    func set(_ owner: AnyObject, _ send: @escaping ([OSCMessage]) -> Void) {
        handler = (ObjectIdentifier(owner), send)
        document = session.player.document
    }

    /// Ends that, unless somebody else does it by now.
    func end(_ owner: AnyObject) {
        if handler?.owner == ObjectIdentifier(owner) { handler = nil }
    }

    /// Sends what has happened, in the objects that all others get.
    func send(events lines: [JSONValue]) { handler?.send(lines.flatMap(OSCFeedback.messages)) }

    /// The messages of the whole mixer.
    var mixer: [OSCMessage] { OSCFeedback.messages(to: session.player.document) }

    /// Sends what has changed in the mixer.
    func sendMixer() {
        guard let handler, let document else { return }
        let now = session.player.document
        let messages = OSCFeedback.messages(from: document, to: now)
        self.document = now
        if !messages.isEmpty { handler.send(messages) }
    }
}

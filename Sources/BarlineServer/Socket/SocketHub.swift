import BarlineEngine
import BarlineHost
import BarlineSession
import Foundation
import NIOCore

/// The hub of all WebSockets: broadcasts events and changes of the state, and performs what clients ask for. Confined
/// to one event loop.
final class SocketHub: @unchecked Sendable {
    let serverLoop: ServerLoop
    private let dispatcher: RequestDispatcher
    private let clients: SocketClients
    private let subscribers: OSCSubscribers
    private var revision = 0
    private var state = StateValue.object([:])
    /// Whether ``state`` is what is: while nobody wants to know what changes, it is not made.
    private var isCurrent = false
    /// The full state, serialized on demand and cached until it changes.
    private var stateText: ByteBuffer?
    private var listenFormat: ByteBuffer?

    init(_ dispatcher: RequestDispatcher, clients: SocketClients, subscribers: OSCSubscribers, serverLoop: ServerLoop) {
        self.dispatcher = dispatcher
        self.subscribers = subscribers
        self.clients = clients
        self.serverLoop = serverLoop
    }

    /// Whether any client receives positions.
    var hasClients: Bool { clients.hasControl }
    /// Whether any client or OSC subscriber receives changes.
    var isWatched: Bool { clients.hasControl || subscribers.areThere }
    /// Notified when such a client or subscriber connects.
    var arrivals: Activity { subscribers.arrivals }
    /// Whether any client listens to the sound.
    var hasListeners: Bool { clients.hasListeners }

    // MARK: Clients

    func add(_ client: SocketHandler) {
        clients.add(client)
        arrivals.note()
        if isCurrent || client.kind == .listening { resynchronize(client) } else { client.hold() }
    }

    func remove(_ client: SocketHandler) { clients.remove(client) }

    /// Sends a client the full state, or the format of the sound that it listens to.
    func resynchronize(_ client: SocketHandler) {
        switch client.kind {
        case .control:
            if client.right == .watching { client.sendText(ByteBuffer(string: #"{"type":"access","right":"watch"}"#)) }
            client.sendText(wholeState())
        case .listening: if let listenFormat { client.sendText(listenFormat) }
        }
    }

    /// The full state as a message, with its revision.
    func wholeState() -> ByteBuffer {
        if let stateText { return stateText }
        let text = ByteBuffer(
            bytes: JSONWriter.line { writer in
                guard case .object(var values) = state else { return state.write(to: &writer) }
                values["type"] = .value("state")
                values["revision"] = .value(.number(Double(revision)))
                StateValue.object(values).write(to: &writer)
            })
        stateText = text
        return text
    }

    func closeAll() { clients.closeAll() }

    // MARK: Broadcasting

    /// From now on the state is what is: whoever waits for it is sent it.
    func open() {
        isCurrent = true
        clients.forEach(.control) { $0.release() }
    }

    /// From now on nobody makes the state: whoever comes waits for it. Who has come meanwhile is sent what changes.
    func rest() { if !clients.hasControl { isCurrent = false } }

    /// Takes the current state and broadcasts what has changed, as a JSON Patch.
    ///
    /// - Returns: whether anything was broadcast.
    func publish(_ new: StateValue) -> Bool {
        guard isCurrent else {
            // No client needs to know what has changed: who comes is sent all of it.
            (state, stateText) = (new, nil)
            revision += 1
            return true
        }
        let changes = JSONPatch.changes(from: state, to: new)
        if changes.isEmpty { return false }
        state = new
        revision += 1
        stateText = nil
        broadcast(["type": "patch", "revision": .number(Double(revision)), "patch": .array(changes)])
        return true
    }

    /// Broadcasts events.
    func send(events lines: [JSONValue]) { broadcast(["type": "events", "events": .array(lines)]) }

    func notify(_ text: String) { broadcast(["type": "notice", "level": "warning", "text": .string(text)]) }

    private func broadcast(_ value: JSONValue) {
        guard hasClients else { return }
        let text = ByteBuffer(string: value.line)
        clients.forEach(.control) { $0.sendText(text) }
    }

    func sendPositions(_ frame: ByteBuffer) {
        clients.forEach(.control) { $0.sendBinary(frame) }
    }

    func sendSound(_ block: ByteBuffer, format: ByteBuffer) {
        if listenFormat != format {
            listenFormat = format
            clients.forEach(.listening) { $0.sendText(format) }
        }
        clients.forEach(.listening) { $0.sendBinary(block) }
    }

    // MARK: Requests

    func receive(_ text: String, from client: SocketHandler) {
        // Clients that only watch may send nothing but short messages: longer ones are refused unread.
        if client.right == .watching, text.utf8.count > SocketHub.longestOfWatching {
            return refuse(.null, to: client)
        }
        guard let value = try? JSONValue(parsing: Data(text.utf8)), case .object(let values) = value else {
            return report("expected an object in JSON", to: client)
        }
        if let ping = values["ping"] {
            let now = JSONValue.number(LiveSession.now)
            return client.sendText(
                ByteBuffer(string: JSONValue.object(["type": "pong", "ping": ping, "time": now]).line))
        }
        let request = values["request"] ?? .null
        if client.right == .watching { return refuse(request, to: client) }
        let here = NIOLoopBound(client, eventLoop: serverLoop.loop)
        let serverLoop = serverLoop
        dispatcher.perform(value) { result in
            guard case .object(var answer) = result else { return }
            answer["type"] = "ack"
            answer["request"] = request
            let text = ByteBuffer(string: JSONValue.object(answer).line)
            serverLoop.execute { here.value.sendText(text) }
        }
    }

    /// Refuses a request of a client that may only watch.
    private func refuse(_ request: JSONValue, to client: SocketHandler) {
        guard case .object(var answer) = SocketHub.watchingRefusal else { return }
        answer["type"] = "ack"
        answer["request"] = request
        client.sendText(ByteBuffer(string: JSONValue.object(answer).line))
    }

    func report(_ text: String, to client: SocketHandler) {
        let notice: JSONValue = ["type": "notice", "level": "warning", "text": .string(text)]
        client.sendText(ByteBuffer(string: notice.line))
    }

    /// The longest message that a watching client may send, in bytes: enough for a ping, or for an action whose request
    /// number goes into the refusal.
    private static let longestOfWatching = 512

    /// The refusal that watching clients are sent.
    private static let watchingRefusal = LiveSession.refusal(
        "this link is for watching", words: "This page only watches. Ask for the link of those who play.")
}

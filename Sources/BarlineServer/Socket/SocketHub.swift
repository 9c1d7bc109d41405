import BarlineEngine
import BarlineSession
import BarlineTime
import Foundation
import NIOCore
import Synchronization

/// All WebSockets: tells each what happens, and does what they ask for. Lives on one event loop.
final class SocketHub: @unchecked Sendable {
    private struct Waiting {
        let since: NIODeadline
        let then: (FrameTime?) -> Void
    }

    let loop: any EventLoop
    private let session: LiveSession
    /// What does what is not about the session.
    var machine: Machine?
    private var clients: [ObjectIdentifier: SocketHandler] = [:]
    private var waiting: [CommandID: Waiting] = [:]
    private var revision = 0
    private var state: JSONValue = .object([:])
    /// The whole state as it is sent, made when somebody needs it.
    private var stateText: ByteBuffer?
    private var listenFormat: ByteBuffer?
    /// Who passes what happens on to subscribers without a socket.
    private var feedback: (owner: ObjectIdentifier, send: ([OSCMessage]) -> Void)?
    private var document: SessionDocument?
    private let counts = Mutex((control: 0, listening: 0))

    init(_ session: LiveSession, loop: any EventLoop) {
        self.session = session
        self.loop = loop
    }

    /// Whether anybody wants positions.
    var hasClients: Bool { counts.withLock { $0.control > 0 } }
    /// Whether anybody listens.
    var hasListeners: Bool { counts.withLock { $0.listening > 0 } }

    // MARK: Clients

    func add(_ client: SocketHandler) {
        clients[ObjectIdentifier(client)] = client
        count()
        resynchronize(client)
    }

    func remove(_ client: SocketHandler) {
        clients[ObjectIdentifier(client)] = nil
        count()
    }

    /// Closes those that came with keys older than a generation.
    func close(before generation: Int) {
        for client in clients.values where client.generation < generation { client.close(.goingAway) }
    }

    private func count() {
        let listening = clients.values.count { $0.kind == .listening }
        let control = clients.count - listening
        counts.withLock { $0 = (control, listening) }
    }

    /// Sends a client everything that it must know.
    func resynchronize(_ client: SocketHandler) {
        switch client.kind {
        case .control:
            if client.right == .watching { client.sendText(ByteBuffer(string: #"{"type":"access","right":"watch"}"#)) }
            client.sendText(wholeState())
        case .listening: if let listenFormat { client.sendText(listenFormat) }
        }
    }

    private func wholeState() -> ByteBuffer {
        if let stateText { return stateText }
        let text = ByteBuffer(string: fullState.line)
        stateText = text
        return text
    }

    /// The state as a client gets it.
    var fullState: JSONValue {
        guard case .object(var values) = state else { return state }
        values["type"] = "state"
        values["revision"] = .number(Double(revision))
        return .object(values)
    }

    func closeAll() {
        for client in clients.values { client.close(.goingAway) }
        machine = nil
    }

    // MARK: Telling

    /// Takes in the state as it is now, and sends what has changed.
    func publish(_ new: JSONValue) {
        let changes = JSONPatch.changes(from: state, to: new)
        if changes.isEmpty { return }
        tellMixer()
        state = new
        revision += 1
        stateText = nil
        broadcast(["type": "patch", "revision": .number(Double(revision)), "patch": .array(changes)])
    }

    func publish(_ events: [EngineEvent], lines: [JSONValue]) {
        for event in events {
            guard case .commandTaken(let command) = event.kind else { continue }
            waiting.removeValue(forKey: command)?.then(event.frame)
        }
        if lines.isEmpty { return }
        broadcast(["type": "events", "events": .array(lines)])
        feedback?.send(lines.flatMap(OSCFeedback.messages))
    }

    /// Sets who is told of everything in messages of OSC.
    func setFeedback(of owner: AnyObject, _ send: @escaping ([OSCMessage]) -> Void) {
        feedback = (ObjectIdentifier(owner), send)
        document = session.player.document
    }

    /// Ends that, unless somebody else is told by now.
    func endFeedback(of owner: AnyObject) {
        if feedback?.owner == ObjectIdentifier(owner) { feedback = nil }
    }

    private func tellMixer() {
        guard let feedback, let document else { return }
        let now = session.player.document
        let messages = OSCFeedback.messages(from: document, to: now)
        self.document = now
        if !messages.isEmpty { feedback.send(messages) }
    }

    func notify(_ text: String) { broadcast(["type": "notice", "level": "warning", "text": .string(text)]) }

    private func broadcast(_ value: JSONValue) {
        guard hasClients else { return }
        let text = ByteBuffer(string: value.line)
        for client in clients.values where client.kind == .control { client.sendText(text) }
    }

    func sendPositions(_ frame: ByteBuffer) {
        for client in clients.values where client.kind == .control { client.sendBinary(frame) }
    }

    func sendSound(_ block: ByteBuffer, format: ByteBuffer) {
        if listenFormat != format {
            listenFormat = format
            for client in clients.values where client.kind == .listening { client.sendText(format) }
        }
        for client in clients.values where client.kind == .listening { client.sendBinary(block) }
    }

    // MARK: Asked

    func receive(_ text: String, from client: SocketHandler) {
        guard let value = try? JSONValue(parsing: Data(text.utf8)), case .object(let values) = value else {
            return complain("expected an object in JSON", to: client)
        }
        if let ping = values["ping"] {
            let now = JSONValue.number(LiveSession.now)
            return client.sendText(
                ByteBuffer(string: JSONValue.object(["type": "pong", "ping": ping, "time": now]).line))
        }
        let request = values["request"] ?? .null
        if client.right == .watching {
            guard case .object(var answer) = SocketHub.watchingRefusal else { return }
            answer["type"] = "ack"
            answer["request"] = request
            return client.sendText(ByteBuffer(string: JSONValue.object(answer).line))
        }
        let here = NIOLoopBound(client, eventLoop: loop)
        perform(value) { result in
            guard case .object(var answer) = result else { return }
            answer["type"] = "ack"
            answer["request"] = request
            here.value.sendText(ByteBuffer(string: JSONValue.object(answer).line))
        }
    }

    func complain(_ text: String, to client: SocketHandler) {
        let notice: JSONValue = ["type": "notice", "level": "warning", "text": .string(text)]
        client.sendText(ByteBuffer(string: notice.line))
    }

    /// Does what is asked for; words of the script at once, in the order in which they come.
    func perform(_ value: JSONValue, then answer: @escaping @Sendable (JSONValue) -> Void) {
        do throws(ServerError) {
            if let machine, let action = try Machine.Action(value) {
                return perform(action, on: machine, then: answer)
            }
        } catch {
            return answer(SocketHub.refusal("\(error)", error.words))
        }
        do throws(SessionError) {
            let action = try session.settled(try ControlAction(value, source: "action"))
            guard case .perform(let word, let time) = action else {
                session.submit(action) { [loop] result in
                    loop.execute { answer(SocketHub.answer(to: result)) }
                }
                return
            }
            let outcome = try session.perform(word, at: time)
            guard let command = outcome.command, time == nil else {
                return answer(SocketHub.answer(outcome, frame: nil))
            }
            waiting[command] = Waiting(since: .now()) { answer(SocketHub.answer(outcome, frame: $0)) }
        } catch {
            answer(SocketHub.refusal("\(error)", error.words))
        }
    }

    private func perform(
        _ action: Machine.Action, on machine: Machine, then answer: @escaping @Sendable (JSONValue) -> Void
    ) {
        let loop = loop
        Task {
            let given = await Blocking.run { () -> JSONValue in
                do throws(ServerError) {
                    let result = try machine.perform(action)
                    let answer: [String: JSONValue] = ["ok": true, "frame": .null]
                    return .object(result == .null ? answer : answer.merging(["result": result]) { $1 })
                } catch {
                    return SocketHub.refusal("\(error)", error.words)
                }
            }
            loop.execute { answer(given) }
        }
    }

    /// Answers those whose command the engine does not take: it is not rendered, because its output is gone.
    func giveUpWaiting() {
        let limit = NIODeadline.now() - .seconds(1)
        for (command, entry) in waiting where entry.since < limit {
            waiting[command] = nil
            entry.then(nil)
        }
    }

    private static func answer(to result: Result<LiveSession.Outcome, SessionError>) -> JSONValue {
        switch result {
        case .success(let outcome): answer(outcome, frame: nil)
        case .failure(let error): refusal("\(error)", error.words)
        }
    }

    /// What those are answered who may only watch.
    static let watchingRefusal = refusal(
        "this link is for watching", "This page only watches. Ask for the link of those who play.")

    private static func refusal(_ error: String, _ words: String) -> JSONValue {
        ["ok": false, "error": .string(error), "message": .string(words)]
    }

    private static func answer(_ outcome: LiveSession.Outcome, frame: FrameTime?) -> JSONValue {
        var values: [String: JSONValue] = ["ok": true]
        values["frame"] = frame.map { .number(Double($0.rawValue)) } ?? .null
        values["warning"] = .text(outcome.warning?.description)
        values["message"] = .text(outcome.warning?.words)
        if !outcome.result.isEmpty { values["result"] = .object(outcome.result) }
        return .object(values)
    }
}

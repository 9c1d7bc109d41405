import BarlineSession
import BarlineTime

/// The single entry point for requests in JSON, about the session or about the machine that it plays on.
package final class RequestDispatcher: Sendable {
    /// The session.
    package let session: LiveSession
    private let services: [any ControlService]

    /// - Parameters:
    ///   - session: the session, which every request is about that is of no service.
    ///   - services: what else requests can be about.
    package init(_ session: LiveSession, services: [any ControlService]) {
        self.session = session
        self.services = services
    }

    /// Performs a request, and answers as over the socket ([protocol.md](protocol.md)).
    ///
    /// - Parameters:
    ///   - value: an object with the key `do`.
    ///   - source: the name of the requester in errors.
    ///   - reach: which files a word of the script may name.
    ///   - present: the frame from which seconds are counted, for several that are asked for together; `nil` for that of
    ///     now.
    ///   - answer: called with the answer, on any thread.
    /// - Returns: when it is done.
    @discardableResult
    package func perform(
        _ value: JSONValue, source: String = "action", reach: LiveSession.Reach = .library,
        since present: FrameTime? = nil,
        then answer: @escaping @Sendable (JSONValue) -> Void
    ) -> LiveSession.Completion {
        do throws(ControlRefusal) {
            for service in services {
                guard let perform = try service.performer(of: value) else { continue }
                Task { answer(RequestDispatcher.answer(to: await Blocking.run(perform))) }
                return .queued
            }
            return session.answer(value, source: source, reach: reach, since: present, then: answer)
        } catch {
            answer(LiveSession.refusal("\(error)", words: error.words))
            return .now
        }
    }

    private static func answer(to result: Result<JSONValue, ControlRefusal>) -> JSONValue {
        switch result {
        case .success(let value):
            let answer: [String: JSONValue] = ["ok": true, "frame": .null]
            return .object(value == .null ? answer : answer.merging(["result": value]) { $1 })
        case .failure(let error): return LiveSession.refusal("\(error)", words: error.words)
        }
    }
}

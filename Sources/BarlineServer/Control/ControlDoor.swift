import BarlineHost
import BarlineSession

/// The single entry point for requests in JSON, about the session or about the machine that it plays on.
package final class ControlDoor: Sendable {
    /// The session.
    package let session: LiveSession
    let machine: Machine

    init(_ session: LiveSession, machine: Machine) {
        self.session = session
        self.machine = machine
    }

    /// A door for programs that are not served.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - outputs: changes where the sound goes.
    package convenience init(_ session: LiveSession, outputs: any OutputControl) {
        self.init(session, machine: Machine(outputs: outputs))
    }

    /// Performs a request, and answers as over the socket ([protocol.md](protocol.md)).
    ///
    /// - Parameters:
    ///   - value: an object with the key `do`.
    ///   - source: the name of the requester in errors.
    ///   - reach: which files a word of the script may name.
    ///   - answer: is given the answer, on any thread.
    /// - Returns: when it is done.
    @discardableResult
    package func perform(
        _ value: JSONValue, source: String = "action", reach: LiveSession.Reach = .library,
        then answer: @escaping @Sendable (JSONValue) -> Void
    ) -> LiveSession.Turn {
        do throws(ServerError) {
            guard let action = try Machine.Action(value) else {
                return session.answer(value, source: source, reach: reach, then: answer)
            }
            Task { answer(await self.answer(to: action)) }
            return .queued
        } catch {
            answer(LiveSession.refusal("\(error)", words: error.words))
            return .now
        }
    }

    private func answer(to action: Machine.Action) async -> JSONValue {
        let machine = machine
        return await Blocking.run { () -> JSONValue in
            do throws(ServerError) {
                let result = try machine.perform(action)
                let answer: [String: JSONValue] = ["ok": true, "frame": .null]
                return .object(result == .null ? answer : answer.merging(["result": result]) { $1 })
            } catch {
                return LiveSession.refusal("\(error)", words: error.words)
            }
        }
    }
}

import BarlineTime

extension LiveSession {
    /// The moment by which a request is complete.
    package enum Completion: Sendable {
        /// It was done, or refused, at once.
        case now
        /// It is done when everything that was asked for before is.
        case queued
    }

    /// Does what is asked for in JSON, and answers in JSON: with `ok`, and `frame`, `warning`, `message` and `result`
    /// or `error` and `message`.
    ///
    /// A word of the performance script is answered when the engine has taken it, anything else when it is done.
    ///
    /// - Parameters:
    ///   - value: an object with the key `do`.
    ///   - source: what errors call who asks.
    ///   - reach: which files a word of the script may name.
    ///   - present: the frame from which seconds are counted; `nil` for that of now.
    ///   - answer: called with the answer, on any thread.
    /// - Returns: when it is done.
    @discardableResult
    package func answer(
        _ value: JSONValue, source: String = "action", reach: Reach = .library,
        since present: FrameTime? = nil, then answer: @escaping @Sendable (JSONValue) -> Void
    ) -> Completion {
        do throws(SessionError) {
            var actions = try resolved(try ControlAction(value, source: source), source: source)
            guard let action = actions.popLast() else {
                answer(LiveSession.answer(Outcome(), frame: nil))
                return .now
            }
            guard case .perform(let word, let time) = action else {
                note("asked", value.line, source)
                submit(action, source: source) { answer(LiveSession.answer(to: $0)) }
                return .queued
            }
            for case .perform(let word, let time) in actions {
                _ = try perform(word, at: time, since: present, source: source, reach: reach)
            }
            let outcome = try perform(word, at: time, since: present, source: source, reach: reach)
            if let command = outcome.command, time == nil {
                acknowledgements.wait(for: command) { answer(LiveSession.answer(outcome, frame: $0)) }
            } else {
                answer(LiveSession.answer(outcome, frame: nil))
            }
        } catch {
            answer(LiveSession.refusal("\(error)", words: error.words))
        }
        return .now
    }

    /// The answer to what can't be done.
    package static func refusal(_ error: String, words: String) -> JSONValue {
        ["ok": false, "error": .string(error), "message": .string(words)]
    }

    private static func answer(to result: Result<Outcome, SessionError>) -> JSONValue {
        switch result {
        case .success(let outcome): answer(outcome, frame: nil)
        case .failure(let error): refusal("\(error)", words: error.words)
        }
    }

    private static func answer(_ outcome: Outcome, frame: FrameTime?) -> JSONValue {
        var values: [String: JSONValue] = ["ok": true]
        values["frame"] = frame.map { .number(Double($0.rawValue)) } ?? .null
        values["warning"] = outcome.warning.map { .string($0.description) } ?? .null
        values["message"] = outcome.warning.map { .string($0.words) } ?? .null
        if !outcome.result.isEmpty { values["result"] = .object(outcome.result) }
        return .object(values)
    }
}

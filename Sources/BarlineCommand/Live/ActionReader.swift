import BarlineHost
import BarlineServer
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// Reads actions from standard input, one JSON object a line, and has them done, on a thread of its own.
///
/// Everything that the page's socket knows is known here. An edit is awaited before the next line is done, so that what
/// follows can name what it has made; words of the performance script follow each other at once.
final class ActionReader: Sendable {
    private struct Waiting {
        var answers: [JSONValue] = []
        var dropped = 0
        /// Lines that are done without an answer yet: words are answered when the engine has taken them.
        var unanswered = 0
        /// Whether they are taken: lines are done without anybody to read what became of them, too.
        var isRead = true
    }

    /// Answers that may wait to be written.
    private static let limit = 4096
    /// How long the next line waits for room for its answer, in seconds.
    private static let longestWait = 1.0
    private static let source = "standard input"

    private let waiting = Mutex(Waiting())

    /// Begins to read.
    func start(_ performance: LivePerformance) {
        let dispatcher = performance.dispatcher
        let host = performance.host
        NamedThread.start("barline-input") { [self] in
            var lines = InputLines()
            while let line = lines.next() {
                switch line {
                case .text(let line):
                    if line.allSatisfy(\.isWhitespace) { continue }
                    awaitRoom()
                    perform(line, dispatcher)
                case .tooLong: refuse("a line has more than \(InputLines.limit) bytes, and is passed over")
                }
                host.look()
            }
        }
    }

    private func perform(_ line: String, _ dispatcher: RequestDispatcher) {
        guard let value = try? JSONValue(parsing: Data(line.utf8)), case .object(let values) = value else {
            return refuse("expected an object in JSON, found \(line.prefix(200))")
        }
        waiting.withLock { $0.unanswered += 1 }
        let isDone = DispatchSemaphore(value: 0)
        let completion = dispatcher.perform(value, source: ActionReader.source, reach: .user) { [self] answer in
            add(answer, to: values["request"])
            waiting.withLock { $0.unanswered = max(0, $0.unanswered - 1) }
            isDone.signal()
        }
        if completion == .queued { isDone.wait() }
    }

    /// Waits until there is room for one more answer, unless nobody takes them.
    private func awaitRoom() {
        let end = Date(timeIntervalSinceNow: ActionReader.longestWait)
        while waiting.withLock({ $0.isRead && $0.answers.count + $0.unanswered >= ActionReader.limit }) {
            if Date() > end {
                waiting.withLock { waiting in
                    waiting.isRead = false
                    waiting.unanswered = 0
                }
            }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    private func refuse(_ text: String) {
        add(["ok": false, "error": .string("\(ActionReader.source): \(text)"), "message": .string(text)], to: nil)
    }

    private func add(_ answer: JSONValue, to request: JSONValue?) {
        guard case .object(var values) = answer else { return }
        values["event"] = "ack"
        values["request"] = request ?? .null
        let line = JSONValue.object(values)
        waiting.withLock { waiting in
            if waiting.answers.count < ActionReader.limit {
                waiting.answers.append(line)
            } else {
                waiting.dropped += 1
            }
        }
    }

    /// What became of the lines that were done since the last call, and how many answers there was no room for.
    func takeAnswers() -> (answers: [JSONValue], dropped: Int) {
        waiting.withLock { waiting in
            defer { waiting = Waiting(unanswered: waiting.unanswered) }
            return (waiting.answers, waiting.dropped)
        }
    }
}

extension JSONValue {
    /// What an answer says to a person; `nil` where there is nothing to be said.
    var message: String? {
        guard case .object(let values) = self, case .string(let text)? = values["message"] else { return nil }
        return text
    }
}

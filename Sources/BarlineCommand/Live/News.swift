import Synchronization

/// Lines for the user, from any thread.
final class News: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func takeAll() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

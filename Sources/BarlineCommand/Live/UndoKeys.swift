import BarlineSession
import Synchronization

/// Ctrl-Z, Ctrl-Y and Ctrl-S, which undo, redo and save as they do on the page.
final class UndoKeys: Sendable {
    private let answers = Mutex<[String]>([])

    /// Undoes, redoes or saves where `key` asks for it; `false` where it asks for something else.
    func handle(_ key: Key, _ performance: LivePerformance) -> Bool {
        let status = performance.session.status
        switch key {
        case .controlZ: submit(.undo, performance, "undone" + (status.undo.map { ": \($0)" } ?? ""))
        case .controlY: submit(.redo, performance, "done again" + (status.redo.map { ": \($0)" } ?? ""))
        // What was made of the command line's files has no file of its own.
        case .controlS where performance.isEditable: submit(.save, performance, "saved")
        default: return false
        }
        return true
    }

    /// What became of a key, once, when it is known.
    func takeAnswer() -> String? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    private func submit(_ request: SessionRequest, _ performance: LivePerformance, _ done: String) {
        performance.session.submit(.manage(request)) { [self] result in
            let answer =
                switch result {
                case .success: done
                case .failure(.unsupported(_, _, let what)): what
                case .failure(let error): "\(error)"
                }
            answers.withLock { $0.append(answer) }
        }
    }
}

import Foundation

/// Lets copies of a session be written but while its file is: what takes the copies away finds all of them.
///
/// Whoever holds it waits for the copy that is being written, and then none is begun until it is released. It may be
/// held several times over, and across suspensions.
final class AutosaveGate: @unchecked Sendable {
    private let condition = NSCondition()
    // Both are the condition's.
    private var holds = 0
    private var isWriting = false

    /// Begins to write a copy, after the one that is being written.
    ///
    /// - Returns: whether that may be; `false` while the gate is held.
    func begin() -> Bool {
        condition.withLock {
            while isWriting, holds == 0 { condition.wait() }
            if holds > 0 { return false }
            isWriting = true
            return true
        }
    }

    /// The copy is written.
    func end() {
        condition.withLock {
            isWriting = false
            condition.broadcast()
        }
    }

    /// Waits for the copy that is being written, and has none begun until ``release()``.
    func hold() {
        condition.withLock {
            holds += 1
            while isWriting { condition.wait() }
        }
    }

    /// Lets copies be written again.
    func release() {
        condition.withLock {
            holds -= 1
            condition.broadcast()
        }
    }
}

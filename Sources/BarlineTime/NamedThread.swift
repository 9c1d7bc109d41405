import CRealtime
import Foundation

/// Threads that debuggers, the kernel and `barline doctor` know by name: the one place where a thread begins. What it does in
/// a loop until it is asked to end is a `Worker`'s, of the engine.
package enum NamedThread {
    /// Runs `body` on a thread of its own.
    ///
    /// - Parameters:
    ///   - name: what the kernel calls it, in 15 bytes.
    ///   - quality: how the system is to treat it, where it knows more than niceness.
    ///   - stackBytes: the room that its stack has; `nil` for the system's.
    ///   - body: what it does.
    package static func start(
        _ name: String, quality: QualityOfService = .default, stackBytes: Int? = nil,
        _ body: @escaping @Sendable () -> Void
    ) {
        let thread = Thread {
            rt_thread_set_name(name)
            body()
        }
        thread.qualityOfService = quality
        if let stackBytes { thread.stackSize = stackBytes }
        thread.start()
    }
}

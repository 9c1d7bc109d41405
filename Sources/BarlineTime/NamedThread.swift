import CRealtime
import Foundation

/// Starts threads with names for debuggers, the kernel and `barline doctor`: the only place where threads are created.
/// A thread that loops until it is told to end is a `Worker`, of the engine.
package enum NamedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Parameters:
    ///   - name: the thread's name in the kernel, at most 15 bytes.
    ///   - quality: the quality of service, on systems that have more than niceness.
    ///   - stackBytes: the size of its stack; `nil` for the system's default.
    ///   - body: what the thread runs.
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

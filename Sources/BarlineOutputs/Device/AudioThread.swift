import CRealtime
import Foundation

/// The timing of threads that request or await blocks.
package enum AudioThread {
    /// The realtime priority of a thread that requests blocks.
    package static let priority: Int32 = 10

    /// The pause between two looks at what another thread changes without a signal, in seconds: shorter than any block.
    private static let pollInterval = 0.001

    /// Requests realtime priority for the calling thread; it keeps its own if the user lacks the privilege.
    static func requestPriority() { _ = rt_thread_request_priority(priority) }

    /// Pauses between two looks at what another thread changes without a signal.
    static func poll() { Thread.sleep(forTimeInterval: pollInterval) }
}

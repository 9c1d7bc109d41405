import Foundation

/// Work that waits for disks, or computes for long.
package enum Blocking {
    /// Does it on a thread that may wait.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: body()) }
        }
    }
}

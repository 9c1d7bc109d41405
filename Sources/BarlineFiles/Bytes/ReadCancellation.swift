import Foundation
import Synchronization

/// Cancels reads that wait for a network or an unresponsive disk, and limits each wait.
///
/// Reads from a responsive disk are not affected.
public final class ReadCancellation: Sendable {
    private let isCalledOff = Atomic<Bool>(false)
    private let isWanted: @Sendable () -> Bool
    /// When the wait that is under way has taken too long, in seconds of ``Date``'s reference.
    private let deadline = Atomic<UInt64>(Double.infinity.bitPattern)

    /// Creates a cancellation that takes effect with ``cancel()``, or when `isWanted` returns `false`. Readers call it
    /// often.
    public init(while isWanted: @escaping @Sendable () -> Bool = { true }) { self.isWanted = isWanted }

    /// Cancels the present read and all later ones. May be called from any thread.
    public func cancel() { isCalledOff.store(true, ordering: .sequentiallyConsistent) }

    /// Whether it was cancelled.
    public var isCancelled: Bool { isCalledOff.load(ordering: .sequentiallyConsistent) || !isWanted() }

    /// Begins a wait of so many seconds at the most.
    func allow(seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds).timeIntervalSinceReferenceDate
        deadline.store(end.bitPattern, ordering: .sequentiallyConsistent)
    }

    /// Whether a wait is to end.
    var shouldEnd: Bool {
        let end = Double(bitPattern: deadline.load(ordering: .sequentiallyConsistent))
        return isCancelled || Date().timeIntervalSinceReferenceDate > end
    }

    /// Waits; whether it was not cancelled meanwhile.
    func sleep(seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while end.timeIntervalSinceNow > 0, !isCancelled { Thread.sleep(forTimeInterval: 0.02) }
        return !isCancelled
    }
}

import Foundation
import Synchronization

/// Ends a reading that waits for a network, or for a disk that gives nothing, and keeps each wait within bounds.
///
/// What a disk has is read without regard to it.
public final class ReadCancellation: Sendable {
    private let isCalledOff = Atomic<Bool>(false)
    private let isWanted: @Sendable () -> Bool
    /// When the wait that is under way has taken too long, in seconds of ``Date``'s reference.
    private let deadline = Atomic<UInt64>(Double.infinity.bitPattern)

    /// Nothing is cancelled before ``cancel()``, or before `isWanted` says so. It is asked often, by whoever reads.
    public init(while isWanted: @escaping @Sendable () -> Bool = { true }) { self.isWanted = isWanted }

    /// Cancels what is under way, and all that would follow. May be called from any thread.
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

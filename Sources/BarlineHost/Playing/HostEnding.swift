import Foundation
import Synchronization

/// Why and how a host comes to its end, for any thread.
final class HostEnding: Sendable {
    private let wanted = Atomic<Bool>(false)
    private let playedNothing = Atomic<Bool>(false)
    private let waiting = DispatchSemaphore(value: 0)

    var isWanted: Bool { wanted.load(ordering: .acquiring) }
    var hasPlayedNothing: Bool { playedNothing.load(ordering: .acquiring) }

    func request() {
        wanted.store(true, ordering: .releasing)
        waiting.signal()
    }

    func requestWithoutPlaying() {
        playedNothing.store(true, ordering: .releasing)
        request()
    }

    /// Waits until the end is wanted.
    func await() {
        waiting.wait()
        // For whoever waits beside or later.
        waiting.signal()
    }
}

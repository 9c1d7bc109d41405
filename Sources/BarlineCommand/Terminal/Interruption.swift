import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// Ctrl-C and its like.
///
/// A command that has to clean up takes the interruption as a request; any other ends at once.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    private static let isAwaited = Atomic<Bool>(false)
    /// When the first signal came, on the monotonic clock.
    private static let firstTime = Atomic<Int64>(0)
    /// A second signal within so long is the first one again: `timeout` tells a program, and then the group that it is
    /// in. Nobody presses Ctrl-C twice that fast.
    private static let echoNanoseconds: Int64 = 100_000_000
    // For any thread, and for the handlers of signals.
    nonisolated(unsafe) private static let arrival = rt_signal_create()

    /// Ends the process with status 130 on SIGINT, and as a shell reports it on SIGTERM, SIGHUP and SIGQUIT.
    static func install() {
        // Made here: the handler of a signal must not.
        _ = arrival
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { number in
                let now = rt_monotonic_nanoseconds()
                // Before it is told, or another thread would find it without its time.
                _ = Interruption.firstTime.compareExchange(
                    expected: 0, desired: now, ordering: .sequentiallyConsistent)
                let isFirst = Interruption.received.exchange(number, ordering: .sequentiallyConsistent) == 0
                if !Interruption.isAwaited.load(ordering: .relaxed) { _exit(128 + number) }
                if !isFirst {
                    let first = Interruption.firstTime.load(ordering: .sequentiallyConsistent)
                    if now - first > Interruption.echoNanoseconds { _exit(128 + number) }
                    return
                }
                rt_signal_give(Interruption.arrival)
            }
        }
    }

    /// From now on the command asks ``status`` itself; a second signal still ends it at once.
    static func await() { isAwaited.store(true, ordering: .relaxed) }

    /// From now on `request` is called, on a thread of its own, when a signal comes; a second one still ends at once.
    static func await(then request: @escaping @Sendable () -> Void) {
        isAwaited.store(true, ordering: .relaxed)
        NamedThread.start("barline-signals") {
            while status == nil { _ = rt_signal_wait(arrival, longestWait) }
            request()
        }
    }

    /// In seconds; after it another wait begins.
    private static let longestWait = 86_400.0

    /// The exit status that a signal asks for; `nil` where none has come.
    static var status: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }
}

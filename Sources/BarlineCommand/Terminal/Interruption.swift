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
    // For any thread, and for the handlers of signals.
    nonisolated(unsafe) private static let arrival = rt_signal_create()

    /// Ends the process with status 130 on SIGINT, and as a shell reports it on SIGTERM and SIGHUP.
    static func install() {
        // Made here: the handler of a signal must not.
        _ = arrival
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                let isFirst = Interruption.received.exchange(number, ordering: .relaxed) == 0
                if !isFirst || !Interruption.isAwaited.load(ordering: .relaxed) { _exit(128 + number) }
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

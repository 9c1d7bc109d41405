import Foundation
import Synchronization

/// Ctrl-C and its like.
///
/// A command that has something to put away takes the interruption as a request; any other ends at once.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    private static let isAwaited = Atomic<Bool>(false)

    /// Ends the process with status 130 on SIGINT, and as a shell reports it on SIGTERM and SIGHUP.
    static func install() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                let isFirst = Interruption.received.exchange(number, ordering: .relaxed) == 0
                if !isFirst || !Interruption.isAwaited.load(ordering: .relaxed) { _exit(128 + number) }
            }
        }
    }

    /// From now on the command asks ``status`` itself; a second signal still ends it at once.
    static func await() { isAwaited.store(true, ordering: .relaxed) }

    /// The exit status that a signal asks for; `nil` where none has come.
    static var status: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }
}

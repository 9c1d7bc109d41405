import Foundation
import Synchronization

/// Being stopped and continued by job control, which must find the terminal as it was and leave the screen redrawn.
enum Suspension {
    private static let isAsked = Atomic<Bool>(false)
    private static let hasContinued = Atomic<Bool>(false)

    /// From now on ``handle(restore:takeOver:)`` is called often.
    static func install() {
        signal(SIGTSTP) { _ in Suspension.isAsked.store(true, ordering: .relaxed) }
        signal(SIGCONT) { _ in Suspension.hasContinued.store(true, ordering: .relaxed) }
    }

    /// Stops the process where that was asked for, and returns when it continues.
    static func handle(restore: () -> Void, takeOver: () -> Void) {
        if isAsked.exchange(false, ordering: .relaxed) {
            restore()
            hasContinued.store(false, ordering: .relaxed)
            kill(getpid(), SIGSTOP)
            // Another thread may be stopped first: this one must draw nothing meanwhile.
            while !hasContinued.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.01) }
        }
        // Who is stopped by other means has no time to restore anything.
        if hasContinued.exchange(false, ordering: .relaxed) { takeOver() }
    }
}

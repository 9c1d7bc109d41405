import Foundation
import Synchronization

/// Job control: a program that is stopped leaves the terminal as it was, one that goes on in the background leaves it to
/// the shell, and one that comes to the front has it, and draws its screen anew.
enum Suspension {
    private static let isAsked = Atomic<Bool>(false)
    private static let hasContinued = Atomic<Bool>(false)
    private static let holds = Atomic<Bool>(false)

    /// Whether the terminal is the program's: what is drawn elsewhere would be drawn over the shell.
    static var holdsTerminal: Bool { holds.load(ordering: .relaxed) }

    /// Whether the program is the one to which the terminal's keys go; where nobody controls it, it is.
    static var isInFront: Bool {
        let front = tcgetpgrp(STDIN_FILENO)
        return front < 0 || front == getpgrp()
    }

    /// From now on ``handle(restore:takeOver:)`` is called often.
    static func install() {
        signal(SIGTSTP) { _ in Suspension.isAsked.store(true, ordering: .relaxed) }
        signal(SIGCONT) { _ in Suspension.hasContinued.store(true, ordering: .relaxed) }
        // What plays in the background plays on.
        signal(SIGTTIN, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
    }

    /// Stops the process where that was asked for, and returns when it continues; takes the terminal over, where the
    /// program is in front and does not have it.
    static func handle(restore: () -> Void, takeOver: () -> Void) {
        if isAsked.exchange(false, ordering: .relaxed) {
            release(restore)
            hasContinued.store(false, ordering: .relaxed)
            kill(getpid(), SIGSTOP)
            // Another thread may be stopped first: this one must draw nothing meanwhile.
            while !hasContinued.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.01) }
        }
        let isInFront = isInFront
        // Who is stopped by other means has no time to restore anything.
        if hasContinued.exchange(false, ordering: .relaxed) || !isInFront { holds.store(false, ordering: .relaxed) }
        if isInFront, !holds.exchange(true, ordering: .relaxed) { takeOver() }
    }

    /// Gives the terminal back, if the program has it.
    static func release(_ restore: () -> Void) {
        if holds.exchange(false, ordering: .relaxed) { restore() }
    }
}

import BarlineSession
import Foundation
import Synchronization

/// Keeps a copy of what was not saved, so that nothing is lost with the program.
final class AutosaveKeeper: HostObserver {
    private let session: LiveSession
    private let notify: @Sendable (HostNotice) -> Void
    private let isReported = Mutex(false)
    private let writingTime = Mutex(-Double.infinity)

    /// The time in seconds from one copy to the next at least: each waits for the disk, and a fader that moves changes
    /// the session many times a second.
    private static let interval = 0.25

    init(_ session: LiveSession, notify: @escaping @Sendable (HostNotice) -> Void) {
        self.session = session
        self.notify = notify
    }

    /// What is changed after a while of rest is kept at once, what follows four times a second: at most the last
    /// second is lost, the time that writing takes included.
    var interest: HostInterest { HostInterest(positionInterval: AutosaveKeeper.interval) }

    func receive(_ report: HostReport) {
        // Who opens the session after another program has closed it is to know that it is open here.
        session.claimFreed()
        let now = LiveSession.now
        if now - writingTime.withLock({ $0 }) < AutosaveKeeper.interval { return }
        if keep() { writingTime.withLock { $0 = now } }
    }

    /// Keeps what was changed last.
    func end() { _ = keep() }

    /// - Returns: whether there was something to write.
    private func keep() -> Bool {
        do throws(SessionError) {
            let isWritten = try session.autosave()
            isReported.withLock { $0 = false }
            return isWritten
        } catch {
            // Reported once for as long as it lasts.
            if isReported.withLock({ isReported in
                defer { isReported = true }
                return isReported
            }) {
                return true
            }
            notify(HostNotice(error.words, to: .clients))
            notify(HostNotice("\(error)", to: .user))
            return true
        }
    }
}

import BarlineSession
import Foundation
import Synchronization

/// Keeps a copy of what was not saved, so that nothing is lost with the program.
final class AutosaveKeeper: HostObserver {
    private let session: LiveSession
    private let notify: @Sendable (HostNotice) -> Void
    private let isReported = Mutex(false)

    init(_ session: LiveSession, notify: @escaping @Sendable (HostNotice) -> Void) {
        self.session = session
        self.notify = notify
    }

    /// Changes are looked for twice a second: at most the last one is lost, the time that writing takes included.
    var interest: HostInterest { HostInterest(positionInterval: 0.5) }

    func receive(_ report: HostReport) {
        do throws(SessionError) {
            try session.autosave()
            isReported.withLock { $0 = false }
        } catch {
            // Reported once for as long as it lasts.
            if isReported.withLock({ isReported in
                defer { isReported = true }
                return isReported
            }) {
                return
            }
            notify(HostNotice(error.words, to: .clients))
            notify(HostNotice("\(error)", to: .user))
        }
    }
}

import BarlineSession
import Foundation
import Synchronization

/// Keeps a copy of what was not saved, so that nothing is lost with the program.
final class AutosaveKeeper: HostObserver {
    private let session: LiveSession
    private let tell: @Sendable (HostNotice) -> Void
    private let isTold = Mutex(false)

    init(_ session: LiveSession, tell: @escaping @Sendable (HostNotice) -> Void) {
        self.session = session
        self.tell = tell
    }

    /// Changes are looked for twice a second: at most the last one is lost, the time that writing takes included.
    var interest: HostInterest { HostInterest(positionInterval: 0.5) }

    func receive(_ report: HostReport) {
        do throws(SessionError) {
            try session.autosave()
            isTold.withLock { $0 = false }
        } catch {
            // Told once for as long as it goes on.
            if isTold.withLock({ isTold in
                defer { isTold = true }
                return isTold
            }) {
                return
            }
            tell(HostNotice(error.words, to: .clients))
            tell(HostNotice("\(error)", to: .user))
        }
    }
}

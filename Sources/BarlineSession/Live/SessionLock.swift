import BarlineFiles
import Foundation

/// A lock that tells other programs that a session is open here, for as long as anybody holds it, and to the end of the
/// program however that comes.
package final class SessionLock: Sendable {
    private let descriptor: Int32

    /// Claims the session at `path`.
    ///
    /// - Returns: `nil` where another program, or another part of this one, has it open.
    package init?(_ path: String, in library: SessionLibrary) {
        let file = library.state.appendingPathComponent("open", isDirectory: true)
            .appendingPathComponent(SessionLibrary.uniqueName(of: path) + ".lock").path
        try? SessionLibrary.makeFolder(of: file)
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Where there is no place for locks nobody can know better.
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension LiveSession {
    /// Whether another program has the session open, which saves to the same file.
    var isOpenElsewhere: Bool { state.withLock { $0.isShared } }

    /// What is to be known as long as another program has the session open.
    package var sharingWarning: SessionWarning? {
        let (isShared, isDemo) = state.withLock { ($0.isShared, $0.isDemo) }
        return isShared ? LiveSession.sharingWarning(player.path, isDemo: isDemo) : nil
    }

    private static func sharingWarning(_ path: String, isDemo: Bool) -> SessionWarning {
        let shown = isDemo ? "the demo set" : "“\(path.lastPathName.withoutPathEnding)”"
        return SessionWarning(
            "\(path) is open in another program too: whichever saves last is what the file has, and the version before is"
                + " kept",
            words: "\(shown) is open in another program too: whichever saves last is what the file has. The version"
                + " before is kept.")
    }

    /// Says to other programs that the session is open here; where one of them has it open already, that is reported,
    /// and what is not saved here is kept apart from theirs.
    package func claim() {
        state.withLock { $0.isClaiming = true }
        claimPath()
    }

    /// Claims a session that another program has open as soon as that has closed it; to be called now and then.
    package func claimFreed() {
        guard isOpenElsewhere else { return }
        let path = player.path
        guard let claim = SessionLock(path, in: library) else { return }
        state.withLock { state in
            guard state.isShared else { return }
            state.claim = claim
            state.isShared = false
            state.revision += 1
        }
        // Another one may have been opened in this moment, which is claimed by its own name.
        if player.path != path { claimPath() }
    }

    /// Claims the session's file, in the place of the one before.
    func claimPath() {
        guard state.withLock({ $0.isClaiming }) else { return }
        let (path, library) = (player.path, library)
        // The former claim is released first: it may be for the same file.
        state.withLock { $0.claim = nil }
        let claim = SessionLock(path, in: library)
        DurableFile.removeLeftovers(beside: path)
        state.withLock { state in
            state.claim = claim
            state.isShared = claim == nil
            state.revision += 1
            guard claim == nil else { return }
            state.offers = []
            let warning = LiveSession.sharingWarning(path, isDemo: state.isDemo)
            state.notices.append(SessionNotice(warning.description, words: warning.words))
        }
    }
}

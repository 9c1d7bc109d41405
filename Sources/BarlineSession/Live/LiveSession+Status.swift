import BarlineFiles
import BarlineTime
import Foundation

extension LiveSession {
    /// The status of a session for displays, beside its document.
    package struct Status: Hashable, Sendable {
        /// The file's name.
        package var name: String
        /// Whether there are changes that were not saved.
        package var isDirty: Bool
        /// Whether it is the built-in set.
        package var isDemo: Bool
        /// What would be undone.
        package var undo: String?
        /// What would be done again.
        package var redo: String?
        /// Autosaves that could be taken over, the latest first.
        package var recoverable: [Recoverable]
    }

    /// An autosave that could be taken over.
    package struct Recoverable: Hashable, Sendable {
        /// What tells it from others of the session.
        package var copy: String
        /// When it was written, in seconds since 1970.
        package var modified: Double
    }

    /// What a display shows now.
    package var status: Status {
        let (document, path) = (player.document, player.path)
        return state.withLock { state in
            Status(
                name: path.lastPathName, isDirty: document != state.saved, isDemo: state.isDemo,
                undo: state.history.done.last?.label, redo: state.history.undone.last?.label,
                recoverable: state.offers.map { Recoverable(copy: $0.number, modified: $0.modified ?? 0) })
        }
    }

    /// What the next control that is moved is to do.
    package var learnRequest: MIDILearnRequest? { state.withLock { $0.learnRequest } }

    /// Takes the pending learn request, for the control that was moved; `nil` also where what it is for is gone, which is
    /// said.
    package func takeLearnRequest() -> MIDILearnRequest? {
        let request = state.withLock { state in
            defer { state.learnRequest = nil }
            if state.learnRequest != nil { state.revision += 1 }
            return state.learnRequest
        }
        guard let request else { return nil }
        do throws(SessionError) {
            try check(request, player.path)
            return request
        } catch {
            state.withLock { $0.notices.append(SessionNotice(error)) }
            return nil
        }
    }

    /// Changes whenever something was done about the session as a whole, which edits are not.
    package var managementRevision: Int { state.withLock { $0.revision - $0.editCount } }

    /// Changes whenever ``status`` or the document may have changed.
    package var revision: Int { state.withLock { $0.revision } &+ player.revision }
}

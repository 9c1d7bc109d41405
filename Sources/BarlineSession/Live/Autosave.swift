import BarlineFiles
import Foundation

/// The copy of a session that is kept while it has changes that were not saved.
struct Autosave: Sendable {
    let path: String

    /// The autosave of the session at `session`.
    init(of session: String, in library: SessionLibrary) {
        // One session, one name, in every run.
        let hash = FNV1a(session).value
        let name = ((session as NSString).lastPathComponent as NSString).deletingPathExtension
        path =
            library.state.appendingPathComponent("autosave", isDirectory: true)
            .appendingPathComponent("\(name)-\(String(hash, radix: 16)).barline").path
    }

    /// When it was written, in seconds since 1970; `nil` where there is none.
    var modified: Double? { SessionLibrary.modified(path) }

    func write(_ document: SessionDocument) throws(SessionError) {
        try SessionLibrary.makeFolder(of: path)
        try document.write(to: path)
    }

    func read() throws(SessionError) -> SessionDocument { try SessionDocument(path: path) }

    func remove() { unlink(path) }

    /// Becomes another session's.
    func move(to other: Autosave) { rename(path, other.path) }
}

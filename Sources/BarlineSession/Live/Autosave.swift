import BarlineFiles
import Foundation

/// The copy of a session that is kept while it has changes that were not saved.
///
/// There are two places for it: while a copy of an earlier time is offered and nobody has answered, what is changed now
/// goes to the other one. What is changed in a second program has a third place.
struct Autosave: Hashable, Sendable {
    let path: String
    /// What has changed since the copy was written (``AutosaveJournal``).
    var changes: String { path + ".changes" }

    /// The autosave of the session at `session`.
    init(of session: String, in library: SessionLibrary) {
        self.init(session, "", library)
    }

    private init(_ session: String, _ suffix: String, _ library: SessionLibrary) {
        path =
            library.state.appendingPathComponent("autosave", isDirectory: true)
            .appendingPathComponent("\(SessionLibrary.uniqueName(of: session))\(suffix).barline").path
    }

    /// The places for a session's autosave.
    static func places(of session: String, in library: SessionLibrary) -> [Autosave] {
        ["", "-2"].map { Autosave(session, $0, library) }
    }

    /// The place for what is changed in a session that another program has open too.
    static func besides(_ session: String, in library: SessionLibrary) -> Autosave { Autosave(session, "-3", library) }

    /// The latest copy that there is; `nil` where there is none.
    static func latest(of session: String, in library: SessionLibrary) -> Autosave? {
        (places(of: session, in: library) + [besides(session, in: library)]).filter { $0.modified != nil }
            .max { ($0.modified ?? 0) < ($1.modified ?? 0) }
    }

    /// Takes the copies of a session away, but for one.
    static func remove(of session: String, in library: SessionLibrary, except kept: Autosave? = nil) {
        for place in places(of: session, in: library) where place != kept { place.remove() }
    }

    /// When it was written, in seconds since 1970; `nil` where there is none.
    var modified: Double? {
        SessionLibrary.modified(path).map { max($0, SessionLibrary.modified(changes) ?? $0) }
    }

    /// Writes a copy that nobody keeps up to date.
    func write(_ document: SessionDocument) throws(SessionError) {
        try SessionLibrary.makeFolder(of: path)
        try document.write(to: path)
        unlink(changes)
    }

    func read() throws(SessionError) -> SessionDocument { try AutosaveJournal.read(self) }

    func remove() {
        unlink(path)
        unlink(changes)
    }

    /// Becomes another session's.
    func move(to other: Autosave) {
        unlink(other.changes)
        rename(path, other.path)
        rename(changes, other.changes)
    }
}

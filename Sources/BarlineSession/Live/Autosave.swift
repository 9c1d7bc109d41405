import BarlineFiles
import Foundation

/// The copy of a session that is kept while it has changes that were not saved.
///
/// There are as many places for it as are needed: while copies of earlier times are offered and nobody has answered,
/// what is changed now goes to a place of its own. A second program that has the session open has others.
struct Autosave: Hashable, Sendable {
    /// The session's file.
    let session: String
    /// The copy.
    let path: String
    /// What tells it from others of the session.
    let number: String
    /// What has changed since the copy was written (``AutosaveJournal``).
    var changes: String { Autosave.changes(of: path) }

    /// The first place's number.
    private static let first = "1"
    /// The number of the first place of a second program; those of others follow it, after a hyphen.
    private static let firstBeside = "3"

    /// A place for the autosave of the session at `session`.
    init(of session: String, number: String = first, in library: SessionLibrary) {
        let suffix = number == Autosave.first ? "" : "-\(number)"
        let name = SessionLibrary.uniqueName(of: session) + suffix
        self.session = session
        self.number = number
        path = Autosave.folder(library).appendingPathComponent("\(name).barline").path
    }

    private static func changes(of copy: String) -> String { copy + ".changes" }

    static func folder(_ library: SessionLibrary) -> URL {
        library.state.appendingPathComponent("autosave", isDirectory: true)
    }

    /// A place where there is no copy; where `isBeside`, none that the program has which has the session open too.
    static func free(for session: String, in library: SessionLibrary, isBeside: Bool) -> Autosave {
        var number = 1
        while true {
            let name = isBeside ? number == 1 ? firstBeside : "\(firstBeside)-\(number)" : "\(number)"
            let place = Autosave(of: session, number: name, in: library)
            number += 1
            if !isBeside, name == firstBeside { continue }
            if place.modified == nil { return place }
        }
    }

    /// The copies of a session that there are, the latest first; also those that were kept where its folder had another
    /// name.
    static func all(of session: String, in library: SessionLibrary) -> [Autosave] {
        takeOverMoved(to: session, in: library)
        let stem = SessionLibrary.uniqueName(of: session)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(library).path)) ?? []
        let copies = names.flatMap(origins).filter { $0.session == stem }.map {
            Autosave(of: session, number: $0.number, in: library)
        }
        return copies.map { ($0, $0.modified ?? 0) }.sorted { ($0.1, $0.0.number) > ($1.1, $1.0.number) }.map(\.0)
    }

    /// The names (``SessionLibrary/uniqueName(of:)``) of the sessions of which there are copies, and others that no session
    /// has.
    static func sessionNames(in library: SessionLibrary) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(library).path)) ?? []
        return Set(names.flatMap(origins).map(\.session))
    }

    /// The names of sessions that a file may be a copy of, with the copy's number then: those may end as numbers do.
    private static func origins(ofFile name: String) -> [(session: String, number: String)] {
        guard name.hasSuffix(".barline") else { return [] }
        let parts = name.dropLast(".barline".count).split(separator: "-", omittingEmptySubsequences: false)
        // A program's number, and that of one beside it.
        let numbers = parts.suffix(2).reversed().prefix { Int($0) != nil }.count
        return (0...numbers).map { count in
            let number = count == 0 ? first : parts.suffix(count).joined(separator: "-")
            return (parts.dropLast(count).joined(separator: "-"), number)
        }
    }

    /// When it was written, in seconds since 1970; `nil` where there is none.
    var modified: Double? {
        SessionLibrary.modified(path).map { max($0, SessionLibrary.modified(changes) ?? $0) }
    }

    func read() throws(SessionError) -> SessionDocument { try AutosaveJournal.read(self) }

    func remove() {
        unlink(path)
        unlink(changes)
    }

    /// Becomes another session's.
    ///
    /// - Returns: where it is then.
    func move(to session: String, in library: SessionLibrary) -> Autosave {
        let other = Autosave(of: session, number: number, in: library)
        other.take(path)
        return other
    }

    /// Becomes what another copy was.
    func take(_ copy: String) {
        unlink(changes)
        rename(copy, path)
        rename(Autosave.changes(of: copy), changes)
    }
}

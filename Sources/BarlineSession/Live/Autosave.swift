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
        let copies = names.compactMap { name -> Autosave? in
            guard name.hasPrefix(stem), name.hasSuffix(".barline") else { return nil }
            let suffix = name.dropFirst(stem.count).dropLast(".barline".count)
            // Those of a session whose name begins as this one's are not its own.
            let isNumber = suffix.split(separator: "-", omittingEmptySubsequences: false).dropFirst()
                .allSatisfy { Int($0) != nil }
            guard suffix.isEmpty || (suffix.hasPrefix("-") && isNumber) else { return nil }
            return Autosave(of: session, number: suffix.isEmpty ? first : String(suffix.dropFirst()), in: library)
        }
        return copies.map { ($0, $0.modified ?? 0) }.sorted { ($0.1, $0.0.number) > ($1.1, $1.0.number) }.map(\.0)
    }

    /// The names (``SessionLibrary/uniqueName(of:)``) of the sessions of which there are copies, and what these are with
    /// less of their ends: a name may end as a copy's number does.
    static func sessionNames(in library: SessionLibrary) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(library).path)) ?? []
        var sessions: Set<String> = []
        for name in names where name.hasSuffix(".barline") {
            var parts = name.dropLast(".barline".count).split(separator: "-", omittingEmptySubsequences: false)
            sessions.insert(parts.joined(separator: "-"))
            // A program's number, and that of one beside it.
            for _ in 0..<2 where parts.last.flatMap({ Int($0) }) != nil {
                parts.removeLast()
                sessions.insert(parts.joined(separator: "-"))
            }
        }
        return sessions
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

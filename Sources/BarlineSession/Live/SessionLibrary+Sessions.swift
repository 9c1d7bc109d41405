import Foundation

extension SessionLibrary {
    /// A session's entry.
    package struct Entry: Hashable, Sendable {
        /// Its name, by which it is opened.
        package let name: String
        /// When it was saved, in seconds since 1970.
        package let modified: Double
        /// Whether changes of it that were not saved are kept: of a program that was broken off, or that has it open.
        package let isDirty: Bool
    }

    /// The sessions, the latest one first.
    package var sessions: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sessionFolder.path)) ?? []
        let copies = Autosave.sessionNames(in: self)
        return names.filter { $0.hasSuffix(".barline") }.map { name in
            let path = sessionFolder.appendingPathComponent(name).path
            return Entry(
                name: String(name.dropLast(8)), modified: SessionLibrary.modified(path) ?? 0,
                isDirty: !copies.isEmpty && copies.contains(SessionLibrary.uniqueName(of: path)))
        }.sorted { ($1.modified, $0.name) < ($0.modified, $1.name) }
    }
}

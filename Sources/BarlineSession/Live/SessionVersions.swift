import BarlineFiles
import Foundation

/// A version of a session's file before it was saved.
package struct SessionVersion: Hashable, Sendable {
    /// The name by which it is restored: when it was saved, in universal time.
    package let name: String
    /// When it was saved, in seconds since 1970.
    package let modified: Double
    /// Its size.
    package let bytes: Int
    let path: String

    /// Reads it.
    package func read() throws(SessionError) -> SessionDocument { try SessionDocument(path: path) }
}

/// The last versions of a session's file, each kept when the next one is saved.
package struct SessionVersions: Sendable {
    /// How many there are of one session.
    package static let count = 10

    let folder: URL

    /// The versions of the session at `path`.
    package init(of path: String, in library: SessionLibrary) {
        folder = library.folder.appendingPathComponent("versions", isDirectory: true)
            .appendingPathComponent(SessionLibrary.uniqueName(of: path), isDirectory: true)
        find(for: path)
    }

    /// The versions, the latest first.
    package var all: [SessionVersion] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".barline") }.sorted(by: >).map { name in
            let path = folder.appendingPathComponent(name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return SessionVersion(
                name: String(name.dropLast(8)), modified: SessionLibrary.modified(path) ?? 0,
                bytes: attributes?[.size] as? Int ?? 0, path: path)
        }
    }

    /// The version of this name.
    ///
    /// - Throws: ``SessionError`` where there is none.
    package func version(_ name: String, source: String) throws(SessionError) -> SessionVersion {
        guard let version = all.first(where: { $0.name == name }) else {
            throw .unsupported(path: source, key: "version", what: "there is no version \"\(name)\" of the session")
        }
        return version
    }

    /// Keeps what the file has before another version takes its place; does nothing where there is no file.
    ///
    /// - Throws: ``SessionError`` where it can't be kept.
    func keep(_ path: String) throws(SessionError) {
        guard let modified = SessionLibrary.modified(path) else { return }
        let bytes = try SessionFile.read(path)
        let versions = all
        if let last = versions.first, (try? SessionFile.read(last.path)) == bytes { return }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd'T'HH.mm.ss.SSS"
        let stem = formatter.string(from: Date(timeIntervalSince1970: modified))
        var name = stem
        var number = 2
        while versions.contains(where: { $0.name == name }) {
            name = "\(stem)-\(number)"
            number += 1
        }
        let copy = folder.appendingPathComponent(name + ".barline").path
        try SessionLibrary.makeFolder(of: copy)
        try DurableFile.write(bytes, to: copy)
        try keepPlace(of: path)
        var times = [timespec(), timespec()]
        for index in times.indices {
            times[index].tv_sec = Int(modified)
            times[index].tv_nsec = Int((modified - modified.rounded(.down)) * 1e9)
        }
        utimensat(AT_FDCWD, copy, times, 0)
        // A file that is older than its versions was put there, and is kept like any other.
        for version in all.filter({ $0.path != copy }).dropFirst(SessionVersions.count - 1) { unlink(version.path) }
    }

    /// Writes a version over the file of its session, whose present one is kept.
    ///
    /// - Parameters:
    ///   - version: one of ``all``.
    ///   - path: the session's file.
    /// - Throws: ``SessionError`` where it can't be read or written.
    package func restore(_ version: SessionVersion, to path: String) throws(SessionError) {
        let bytes = try SessionFile.read(version.path)
        try keep(path)
        try DurableFile.write(bytes, to: path)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Become another session's, whose own are gone with it.
    func move(to other: SessionVersions, of path: String) {
        other.remove()
        try? FileManager.default.moveItem(at: folder, to: other.folder)
        try? other.keepPlace(of: path)
    }
}

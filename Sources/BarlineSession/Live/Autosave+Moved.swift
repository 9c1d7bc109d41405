import BarlineFiles
import Foundation

extension Autosave {
    /// Makes the session's what was kept of it when its folder, or its file, had another name.
    ///
    /// It is known by what is saved of it: there is nothing any more where it was, and what is here has the same content
    /// and was written at the same time. What a program keeps that is still running is its own.
    static func takeOverMoved(to session: String, in library: SessionLibrary) {
        let folder = folder(library)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let path = SessionLibrary.fullPath(of: session)
        var saved: String?
        for name in names.sorted() where name.hasSuffix(changesEnding) {
            let changes = folder.appendingPathComponent(name).path
            guard let header = header(of: changes), header.saved != nil, let origin = header.session, origin != path,
                // What was given another session's name is that one's, whatever its changes say.
                name.hasPrefix(SessionLibrary.uniqueName(of: origin)), !FileManager.default.fileExists(atPath: origin)
            else { continue }
            if saved == nil { saved = AutosaveJournal.name(ofFile: session) }
            guard header.saved == saved, let claim = SessionLock(origin, in: library) else { continue }
            let copy = String(changes.dropLast(".changes".count))
            withExtendedLifetime(claim) {
                let place = free(for: session, in: library, isBeside: false)
                place.take(copy)
                // So that it is found again where there is another new name before anybody has answered.
                place.setSession(path)
            }
        }
    }

    /// Has the changes say that they are those of the session at `session`, as it is saved there now.
    func setSession(_ session: String) {
        guard let data = try? SessionFile.read(changes), let end = data.firstIndex(of: UInt8(ascii: "\n")),
            let header = AutosaveJournal.Header(data[..<end])
        else { return }
        var status = stat()
        let isKnown = stat(changes, &status) == 0
        try? DurableFile.write(header.line(for: session) + data[(end + 1)...], to: changes)
        // They are as old as they were.
        if isKnown { utimensat(AT_FDCWD, changes, [status.st_atim, status.st_mtim], 0) }
    }

    private static let changesEnding = ".barline.changes"
    /// A first line is a path and two hashes.
    private static let longestHeader = 16 << 10

    private static func header(of changes: String) -> AutosaveJournal.Header? {
        guard let file = FileHandle(forReadingAtPath: changes),
            let beginning = try? file.read(upToCount: longestHeader)
        else { return nil }
        return AutosaveJournal.Header(beginning.prefix { $0 != UInt8(ascii: "\n") })
    }
}

import BarlineFiles
import Foundation

/// Versions of a session whose folder is called something else now.
///
/// They lie beside each other, under the path of their session. Which folder that was is kept with them, so that they are
/// found again where it was renamed or moved.
extension SessionVersions {
    /// Where a session was when its last version was kept.
    private struct Place {
        /// The path of its file.
        let path: String
        /// The number of its folder in the file system.
        let folder: UInt64

        init?(of path: String) {
            let path = SessionLibrary.fullPath(of: path)
            guard let folder = FileIdentity(URL(fileURLWithPath: path).deletingLastPathComponent().path) else {
                return nil
            }
            (self.path, self.folder) = (path, folder.number)
        }

        /// Reads what ``write(to:)`` has written; `nil` where there is no such thing.
        init?(reading file: String) {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8),
                let end = text.firstIndex(of: "\n"), let folder = UInt64(text[..<end])
            else { return nil }
            (self.path, self.folder) = (String(text[text.index(after: end)...]), folder)
        }

        func write(to file: String) throws(SessionError) {
            try DurableFile.write(Data("\(folder)\n\(path)".utf8), to: file)
        }

        /// Whether a session there is the one that is at another place now.
        func became(_ other: Place) -> Bool {
            folder == other.folder && path != other.path && path.lastPathName == other.path.lastPathName
                && FileIdentity(path) == nil
        }
    }

    private static func placeFile(in folder: URL) -> String { folder.appendingPathComponent("place").path }

    /// Keeps where the session is.
    func keepPlace(of path: String) throws(SessionError) {
        try Place(of: path)?.write(to: SessionVersions.placeFile(in: folder))
    }

    /// Takes the versions of the session at `path` that it had where its folder was before, if it has none here.
    ///
    /// - Complexity: O(*n*) in the sessions that have versions, where this one has none.
    func find(for path: String) {
        let manager = FileManager.default
        if manager.fileExists(atPath: folder.path) { return }
        let others = folder.deletingLastPathComponent()
        guard let place = Place(of: path), let names = try? manager.contentsOfDirectory(atPath: others.path) else {
            return
        }
        for name in names.sorted() {
            let former = others.appendingPathComponent(name, isDirectory: true)
            guard Place(reading: SessionVersions.placeFile(in: former))?.became(place) == true else { continue }
            try? manager.moveItem(at: former, to: folder)
            try? keepPlace(of: path)
            return
        }
    }
}

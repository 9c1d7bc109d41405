import Foundation

/// What a session that is saved from the built-in set takes with it: that one's files are in a cache, which may be
/// emptied, and which no other machine has.
extension LiveSession {
    /// Copies the files of the built-in set that a document plays to where those of a session at `path` are.
    ///
    /// - Returns: where they are now, by where they were.
    /// - Throws: ``SessionError`` where there is no room.
    func copyDemoFiles(of document: SessionDocument, beside path: String) throws(SessionError) -> [String: String] {
        let demo = media.session
        var copies: [String: String] = [:]
        for name in document.files {
            let file = URL(fileURLWithPath: name, relativeTo: demo).path
            guard copies[file] == nil, !name.hasPrefix("/"), FileManager.default.fileExists(atPath: file) else {
                continue
            }
            copies[file] = try LiveSession.copy(file, into: SessionLibrary.uploads(beside: path))
        }
        return copies
    }

    /// Copies a file into a folder, unless it is there.
    ///
    /// - Returns: where it is there.
    private static func copy(_ file: String, into folder: URL) throws(SessionError) -> String {
        let manager = FileManager.default
        let (stem, ending) = (file.lastPathName.withoutPathEnding, file.pathEnding)
        var number = 1
        while true {
            let target = folder.appendingPathComponent(
                number == 1 ? "\(stem).\(ending)" : "\(stem) (\(number)).\(ending)"
            ).path
            if !manager.fileExists(atPath: target) {
                try SessionLibrary.makeFolder(of: target)
                try DurableFile.write(SessionFile.read(file), to: target)
                return target
            }
            if manager.contentsEqual(atPath: file, andPath: target) { return target }
            number += 1
        }
    }
}

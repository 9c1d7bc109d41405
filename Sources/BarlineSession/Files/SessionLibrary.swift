import BarlineFiles
import Foundation

/// The library of a user's sessions, uploaded audio, recordings and autosaves.
package struct SessionLibrary: Sendable {
    /// The folder of all that lasts.
    package let folder: URL
    /// The folder of autosaves.
    package let state: URL

    /// A library in other folders than the usual ones.
    package init(folder: URL, state: URL) {
        self.folder = folder
        self.state = state
    }

    /// The user's library: `$XDG_DATA_HOME/barline`, with autosaves in `$XDG_STATE_HOME/barline`.
    package static var standard: SessionLibrary {
        SessionLibrary(folder: UserFolders.data, state: UserFolders.state)
    }

    var sessionFolder: URL { folder.appendingPathComponent("sessions", isDirectory: true) }

    /// The folder of recordings.
    package var recordings: URL { folder.appendingPathComponent("recordings", isDirectory: true) }

    /// The folder of audio that belongs to no saved session.
    package var audio: URL { folder.appendingPathComponent("audio", isDirectory: true) }

    /// Where audio is put that is uploaded or recorded into a session.
    static func uploads(beside session: String) -> URL {
        URL(fileURLWithPath: session).deletingLastPathComponent().standardizedFileURL
            .appendingPathComponent("audio", isDirectory: true)
    }

    /// Whether a folder, or the one that it would be made in, is not to be written to.
    static func isProtected(_ folder: URL) -> Bool {
        for path in [folder.path, folder.deletingLastPathComponent().path] {
            if access(path, W_OK) == 0 { return false }
            if errno != ENOENT { return [EROFS, EACCES, EPERM].contains(errno) }
        }
        return false
    }

    /// The file of the session `name`, which was given for `key`.
    ///
    /// - Throws: ``SessionError`` where the name could lead out of the library.
    /// - Complexity: O(*n*) in the sessions where the name has other letters than those of ASCII.
    func path(ofSession name: String, key: String = "name") throws(SessionError) -> String {
        guard SessionLibrary.isPlain(name) else {
            throw .value(
                path: "action", key: key,
                expected: "a name of 1 to 100 characters, and of 200 bytes at most, that a file can have: not "
                    + "beginning with \".\", more than spaces, without \"/\", \"\\\" and line breaks",
                found: "\"\(name)\"")
        }
        return sessionFolder.appendingPathComponent(spelling(of: name + ".barline")).path
    }

    /// How a file of that name is spelled that there is: letters with accents have several forms in Unicode, of which a
    /// keyboard gives one and a disk of another system another.
    private func spelling(of name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sessionFolder.path)) ?? []
        let alike = names.filter { $0 == name }
        return alike.first { $0.utf8.elementsEqual(name.utf8) } ?? alike.first ?? name
    }

    /// The file of the session that a user calls `name`: that at this path, with or without `.barline`, else the one
    /// that was saved under this name.
    ///
    /// - Parameter name: a path, or a name.
    /// - Returns: the file, where a link leads if it is one; `name` itself where there is none of them.
    package func path(ofNamed name: String) -> String {
        let saved = try? path(ofSession: name.hasSuffix(".barline") ? String(name.dropLast(8)) : name)
        for path in [name, name + ".barline", saved].compactMap({ $0 }) {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                return SessionLibrary.target(of: path)
            }
        }
        return name
    }

    /// Where a link leads, or `path` itself if it is none: what a session plays lies beside the session, not the link.
    static func target(of path: String) -> String {
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil { return path }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Whether a name is one of a file, not of a place.
    static func isPlain(_ name: String) -> Bool {
        name.count <= 100 && name.utf8.count <= 200 && isFileName(name) && !name.allSatisfy(\.isWhitespace)
    }

    /// Whether a name could be one of a file that is neither hidden nor elsewhere.
    package static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 1024 && !name.hasPrefix(".")
            && !name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 32 || $0.value == 127 }
    }

    /// A name for files about a session: one session, one name, in every run, whatever links lead to it.
    static func uniqueName(of session: String) -> String {
        let path = fullPath(of: session)
        let name = path.lastPathName.withoutPathEnding
        return "\(name.prefix(80))-\(String(FNV1a(path).value, radix: 16))"
    }

    /// The path of a session's file from the root on, whatever links lead to it.
    static func fullPath(of session: String) -> String {
        URL(fileURLWithPath: session).standardizedFileURL.resolvingSymlinksInPath().path
    }

    static func modified(_ path: String) -> Double? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970
    }

    static func makeFolder(of path: String) throws(SessionError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .file(path: folder.path, reason: "can't be made: \(systemReason(of: error))")
        }
    }
}

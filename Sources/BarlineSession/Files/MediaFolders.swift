import BarlineFiles
import Foundation

/// The folders that audio may be in: the session's folder, the library, and where files were uploaded to. Nothing
/// outside is ever opened for the network.
package struct MediaFolders: Sendable {
    /// The folder of the session's file.
    let session: URL
    /// The user's library.
    let library: URL
    /// Where else files were uploaded to.
    let others: [URL]

    /// The folders of a session.
    ///
    /// - Parameters:
    ///   - path: the session's file.
    ///   - library: the user's library.
    ///   - others: folders that audio was uploaded to before the session was saved elsewhere.
    init(path: String, library: URL, others: [URL] = []) {
        self.others = others.map(\.standardizedFileURL)
        session = URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL
        self.library = library.standardizedFileURL
    }

    /// A file of the session or the library, as the document has it.
    ///
    /// - Throws: ``SessionError`` where there is no such file, or it is elsewhere.
    func file(_ name: String, source: String, key: String) throws(SessionError) -> String {
        let url = URL(fileURLWithPath: name, relativeTo: session)
        guard !name.utf8.contains(0), let path = MediaFolders.resolved(url.path), isInside(path) else {
            throw .value(
                path: source, key: key, expected: "a file of the session's folder or the library", found: "\"\(name)\"")
        }
        return relative(path)
    }

    /// A path as a document in the session's folder names it.
    package func relative(_ path: String) -> String {
        let base = (MediaFolders.resolved(session.path) ?? session.path) + "/"
        return path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
    }

    /// Whether a path leads to a file of the session or the library.
    func contains(_ path: String) -> Bool { MediaFolders.resolved(path).map(isInside) ?? false }

    /// Whether a path without links and dots is in one of the folders.
    private func isInside(_ path: String) -> Bool {
        ([session, library] + others).contains { folder in
            guard let base = MediaFolders.resolved(folder.path), base != "/" else { return false }
            return path.hasPrefix(base + "/")
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Whether a name is one that a decoder may know.
    package static func isAudio(_ name: String) -> Bool {
        AudioEndings.all.contains(name.pathEnding.lowercased())
    }

    /// The files and folders that are looked at for audio.
    private static let longestLook = 100_000

    /// The audio files of the session's folder and the library, as a document names them, in the order of their names.
    ///
    /// - Parameter limit: how many are enough.
    /// - Returns: their names.
    package func allAudio(limit: Int) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        for folder in [session, library] + others {
            guard let base = MediaFolders.resolved(folder.path), base != "/",
                let names = FileManager.default.enumerator(atPath: base)
            else { continue }
            var looked = 0
            for case let name as String in names {
                looked += 1
                // A session may lie in a folder of everything.
                if found.count >= limit || looked > MediaFolders.longestLook { break }
                guard MediaFolders.isAudio(name) else { continue }
                // What begins with a dot is on its way, or hidden on purpose.
                guard !name.lastPathName.hasPrefix("."),
                    let path = MediaFolders.resolved(base + "/" + name), isInside(path), seen.insert(path).inserted
                else { continue }
                found.append(relative(path))
            }
        }
        return found.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }

    /// The audio files of a folder and its folders, in the order of their names, as paths.
    func audioFiles(in folder: String, source: String) throws(SessionError) -> [String] {
        let base = URL(fileURLWithPath: folder, relativeTo: session).path
        guard let path = MediaFolders.resolved(base), isInside(path) || path == MediaFolders.resolved(session.path)
        else {
            throw .value(
                path: source, key: "folder", expected: "a folder of the session's folder or the library",
                found: "\"\(folder)\"")
        }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        // What begins with a dot is on its way, or hidden on purpose.
        let audio = names.filter { MediaFolders.isAudio($0) && !$0.hasPrefix(".") && !$0.contains("/.") }
        return audio.sorted(by: MediaFolders.isBefore).prefix(2_000).map { path + "/" + $0 }
            .filter { MediaFolders.resolved($0).map(isInside) ?? false }
    }

    /// The order that people expect of names: numbers by their value, capitals among small letters.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        switch one.compare(other, options: [.numeric, .caseInsensitive, .widthInsensitive]) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: one < other
        }
    }
}

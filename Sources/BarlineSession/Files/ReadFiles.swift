import BarlineFiles

/// The files that something reads, which nothing that it writes may take the place of.
package struct ReadFiles: Sendable {
    private let files: [FileIdentity]

    /// Looks at files; those that there are not are left out.
    package init(_ paths: some Sequence<String>) { files = paths.compactMap { FileIdentity($0) } }

    private init(files: [FileIdentity]) { self.files = files }

    /// These files, and others.
    package func with(_ paths: some Sequence<String>) -> ReadFiles {
        ReadFiles(files: files + ReadFiles(paths).files)
    }

    /// Refuses a path that leads to one of the files.
    ///
    /// - Parameters:
    ///   - path: where something is to be written.
    ///   - what: what it is read for.
    /// - Throws: ``SessionError`` where it is one of the files.
    package func check(_ path: String, readFor what: String) throws(SessionError) {
        guard let file = FileIdentity(path), files.contains(where: file.isSameFile) else { return }
        throw .file(path: path, reason: "is read for \(what), and is not written over")
    }
}

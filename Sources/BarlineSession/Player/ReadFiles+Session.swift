import Foundation

extension ReadFiles {
    /// Looks at what a session and a script name, and at others.
    ///
    /// - Parameters:
    ///   - document: the session.
    ///   - path: its file, from which its files are named.
    ///   - script: what is performed.
    ///   - others: files that are read besides.
    package init(of document: SessionDocument, at path: String, _ script: PerformanceScript, and others: [String]) {
        var played = Set(document.files)
        for entry in script.entries {
            if case .session(let edited, _) = entry.action {
                played.formUnion(edited.files)
                continue
            }
            _ = entry.action.withFiles { file in
                played.insert(file)
                return file
            }
        }
        let session = URL(fileURLWithPath: path)
        let files = played.filter { !$0.contains("://") }
        self.init(others + files.map { URL(fileURLWithPath: $0, relativeTo: session).path })
    }
}

import Foundation

extension ReadFiles {
    /// Looks at a session's file, at those that it plays, and at others.
    package init(of document: SessionDocument, at path: String, and others: [String]) {
        let session = URL(fileURLWithPath: path)
        let played = Set(document.files).filter { !$0.contains("://") }
        self.init([path] + others + played.map { URL(fileURLWithPath: $0, relativeTo: session).path })
    }
}

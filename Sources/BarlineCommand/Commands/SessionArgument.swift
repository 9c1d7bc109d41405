import BarlineSession
import Foundation

/// A session that was named on the command line, read.
struct SessionArgument {
    /// The session.
    let document: SessionDocument
    /// Its file.
    let path: String

    /// Reads a file, or what was saved under a name.
    ///
    /// - Throws: `SessionError` where it can't be read; what was meant for another command is named.
    init(_ name: String) throws(SessionError) {
        path = SessionLibrary.standard.path(ofNamed: name)
        do {
            document = try SessionDocument(path: path)
        } catch {
            guard case .file(let path, let reason) = error, !path.hasSuffix(".barline"),
                FileManager.default.fileExists(atPath: path)
            else { throw error }
            throw .file(path: path, reason: "\(reason); to play audio files, lists and folders, use \"barline play\"")
        }
    }
}

import BarlineFiles
import Foundation

/// A file that a recording has become.
package struct RecordedFile: Hashable, Sendable {
    /// The name by which it is fetched.
    package let name: String
    /// Where it is.
    package let path: String
    /// Its size.
    package let bytes: Int
    /// How long the recording is.
    package let seconds: Double
}

extension RecordedFile {
    /// A file in a folder of recordings, or in a folder in there.
    init(path: String, seconds: Double, in folder: URL) {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        let prefix = folder.path + "/"
        let name = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path.lastPathName
        self.init(name: name, path: path, bytes: size ?? 0, seconds: seconds)
    }
}
